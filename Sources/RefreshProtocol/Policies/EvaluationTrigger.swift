/// The changes after which the edges of a view evaluate the position of the list. Source:
/// docs/protocol.md, "Policies".
package enum EvaluationTrigger: String, CaseIterable, WireNamed, Sendable, Codable {
    /// Every change that may alter the result: movement, rest, sizes, options, the end of a load.
    case everything
    /// A new offset only. While a pull or a refresh is visible, and before the first page of a
    /// feed, the other edge is not evaluated.
    case movement
}
