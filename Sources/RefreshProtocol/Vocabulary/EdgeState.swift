/// The state of an edge as named on the wire. Source: docs/protocol.md, "States".
package enum EdgeState: String, CaseIterable, Sendable, Codable {
    case disabled
    case idle
    /// Refresh: pulled by a part of the threshold.
    case pulling
    /// Pulled to the threshold, waiting for the release.
    case eligible
    /// Begun, and waiting for the client's backend or for the end of the other edge's load.
    case triggered
    case refreshing
    /// Refresh: the result is displayed for a while, as in `failed`.
    case succeeded
    /// Refresh: complete, but parts of it are still visible.
    case finishing
    /// Load more: near the threshold.
    case approaching
    case loading
    case failed
    case noMore
}
