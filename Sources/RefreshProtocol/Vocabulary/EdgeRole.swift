/// The purpose of an edge. A view has at most one edge of each role, at the two ends of its axis.
/// Source: docs/protocol.md, "Axes and edges".
package enum EdgeRole: String, CaseIterable, WireNamed, Sendable, Codable {
    /// Pull to refresh, where reading begins.
    case refresh
    /// Load more, where reading ends.
    case loadMore
}
