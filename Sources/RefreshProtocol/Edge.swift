/// A logical edge of a vertical view, and the role it plays.
package enum Edge: String, CaseIterable, WireNamed, Sendable {
    /// Pull to refresh, at the beginning of the content.
    case top
    /// Load more, at the end of the content.
    case bottom
}
