/// What makes the edges of a view look at where the list is. Source: docs/protocol.md, "Policies".
package enum Attention: String, CaseIterable, WireNamed, Sendable, Codable {
    /// Whatever may change the answer: movement, rest, sizes, options, the end of a load.
    case everything
    /// A new offset and nothing else; while a pull or refresh is seen, and before a feed's first
    /// page, the other edge is not looked at.
    case movement
}
