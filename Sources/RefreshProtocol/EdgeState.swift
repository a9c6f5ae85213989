/// What an edge is doing, as the wire names it. Source: docs/protocol.md, "States".
package enum EdgeState: String, CaseIterable, Sendable, Codable {
    case disabled
    case idle
    /// Refresh: pulled by part of the threshold.
    case pulling
    /// Far enough; waiting for the release.
    case eligible
    /// Begun, and waiting: for the client's backend, or for the other edge's load to end.
    case triggered
    case refreshing
    /// Refresh: its result is shown for a while; `failed` likewise.
    case succeeded
    /// Refresh: over, but for what is still seen of it.
    case finishing
    /// Load more: near the threshold.
    case approaching
    case loading
    case failed
    case noMore
}
