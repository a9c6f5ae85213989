/// The outcome of a load. Source: docs/protocol.md, "update" and "loadFinished".
public enum LoadResult: String, CaseIterable, WireNamed, Sendable, Codable {
    case success
    /// The load has succeeded without items.
    case empty
    /// The load has succeeded, and there are no items or no further items.
    case noMore
    case failed
    case cancelled
    case timedOut
    /// The client, acting as the backend, refused to begin.
    case refused

    /// Whether a client may send this result in `loadFinished`.
    package var mayBeSent: Bool {
        switch self {
        case .success, .empty, .noMore, .failed, .cancelled: true
        case .timedOut, .refused: false
        }
    }

    /// Whether an answer was accepted. If it was, the list contains the backend's items.
    package var isAccepted: Bool {
        switch self {
        case .success, .empty, .noMore: true
        case .failed, .cancelled, .timedOut, .refused: false
        }
    }
}

/// The purpose of a load.
public enum LoadKind: String, CaseIterable, Sendable, Codable {
    /// A load of the first page. If it succeeds, its items replace the list.
    case refresh
    /// A load of the next page. If it succeeds, its items are appended to the list.
    case more

    /// The role of the edge that requests this load.
    package var role: EdgeRole { self == .refresh ? .refresh : .loadMore }
}

/// The control that requested a load. Source: docs/protocol.md, "load".
public enum LoadTrigger: String, CaseIterable, Sendable, Codable {
    case manual
    case refreshControl
    case reachAtEnd
}
