/// What the message `reveal` brings into sight. Source: docs/protocol.md, "reveal".
package enum RevealTarget: Hashable, Sendable {
    /// The end of the list at the refresh edge.
    case newestEnd
    /// The end of the list at this edge.
    case edge(Edge)
    /// An item. `name` is its name, hashed as in `Anchor`. `position` is where the item begins, in
    /// points from the physical beginning of the content; nil if the client does not have the item.
    case item(name: UInt64, position: Double?)
}

/// How a `reveal` has ended. Source: docs/protocol.md, "reveal".
public enum RevealResult: String, CaseIterable, WireNamed, Sendable, Codable {
    /// The list moves to the target.
    case reached
    /// All pages of the list are loaded, and none of them contains the item.
    case missing
    /// As many pages were loaded as one `reveal` may load, and the target is not reached.
    case limit
    /// The load of a page that is needed has failed.
    case failed
    /// A finger, another `reveal`, a new query, a reset or a cancelled load has ended it.
    case cancelled
}
