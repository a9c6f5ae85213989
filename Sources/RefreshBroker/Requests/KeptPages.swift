/// The cached pages that a load accepts in place of a call. The cool-down and cached failures apply
/// to all loads. Source: docs/backends.md, "Cache".
package enum KeptPages: String, CaseIterable, Sendable {
    /// Any page. The daemon started the load automatically, or it loads a following page.
    case any
    /// Only a fresh page, not a stale one. The feed has newer data, and a fresh page is even newer.
    case fresh
    /// No page. The user requested a new one.
    case none
}
