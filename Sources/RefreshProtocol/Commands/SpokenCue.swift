/// An announcement for a screen reader: a key that the client translates into the user's language.
/// Source: docs/protocol.md, "Cues".
public enum SpokenCue: UInt8, CaseIterable, Sendable, Codable {
    case refreshing
    case refreshed
    case refreshFailed
    case refreshCancelled
    case loadingMore
    case loadedMore
    case loadMoreFailed
    case noMore
    case floorOpened
    case floorClosed
    /// The feed has newer data than the client shows.
    case newer

    /// The key on the wire.
    package var key: StaticString {
        switch self {
        case .refreshing: "refreshing"
        case .refreshed: "refreshed"
        case .refreshFailed: "refreshFailed"
        case .refreshCancelled: "refreshCancelled"
        case .loadingMore: "loadingMore"
        case .loadedMore: "loadedMore"
        case .loadMoreFailed: "loadMoreFailed"
        case .noMore: "noMore"
        case .floorOpened: "floorOpened"
        case .floorClosed: "floorClosed"
        case .newer: "newer"
        }
    }
}
