/// Which kept pages a load takes, in place of a call. Cool-down and kept failures answer all of
/// them. Source: docs/backends.md, "Cache".
package enum KeptPages: String, CaseIterable, Sendable {
    /// Whatever may be given: the daemon began the load by itself, or it is of a page that follows.
    case any
    /// A fresh one, and none that is stale: the feed has newer data, and what is fresh is newer
    /// still.
    case fresh
    /// None: somebody asked for a new one.
    case none
}
