/// What an edge is doing, as the wire names it. Source: docs/protocol.md, "States".
package enum EdgeState: String, CaseIterable, Sendable {
    case disabled
    case idle
    /// Refresh: pulled by part of the threshold.
    case pulling
    /// Far enough; waiting for the release.
    case eligible
    /// Refresh: begun, not yet shown.
    case triggered
    case refreshing
    /// Load more: near the threshold.
    case approaching
    case loading
    case failed
    case noMore
}
