/// How a load ended. Source: docs/protocol.md, "update" and "loadFinished".
package enum LoadResult: String, CaseIterable, WireNamed, Sendable, Codable {
    case success
    /// A success that held no items.
    case empty
    /// There are no (further) items.
    case noMore
    case failed
    case cancelled
    case timedOut
    /// The client as backend refused to begin.
    case refused

    /// Whether a client's `loadFinished` may say so.
    package var mayBeSent: Bool {
        switch self {
        case .success, .empty, .noMore, .failed, .cancelled: true
        case .timedOut, .refused: false
        }
    }

    /// Whether an answer was accepted: the list now holds what the backend gave.
    package var isAccepted: Bool {
        switch self {
        case .success, .empty, .noMore: true
        case .failed, .cancelled, .timedOut, .refused: false
        }
    }
}
