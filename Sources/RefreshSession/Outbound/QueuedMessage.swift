import RefreshBroker
import RefreshProtocol

/// A message in a session's outgoing queue.
enum QueuedMessage: Hashable, Codable {
    /// An update of the view with this generation. It contains all changes since the last update,
    /// because its text is created from the state of the view when the frame is written.
    case update(generation: UInt32)
    /// A complete message.
    case text([UInt8])
    /// A complete message for this connection only. On another connection, the message has no
    /// meaning, or the session creates a new message in its place.
    case passing([UInt8])
    /// The message which says that this load began. If the client resumes while the load runs, the
    /// message is created again.
    case began(LoadID, [UInt8])
    /// A request for a sealed snapshot. The snapshot is sent as the last message of its frame.
    case snapshot
    /// The progress of a load of the view with this generation. A newer progress message of the
    /// same load replaces it.
    case progress(generation: UInt32, LoadID, [UInt8])
    /// The page of this load. The items of the page are not copied before they are sent. It is
    /// stored apart, so that the other messages are small.
    indirect case items(
        LoadID, LoadKind, head: [UInt8], page: Page, deduplicated: DeduplicatedPage?)

    /// A message with operations, which has the number of a load. `base` is the digest of the list
    /// to which the operations are applied, and `list` is the list that they make.
    case operations(LoadID, [UInt8], base: UInt64, list: HashedItems)

    /// The approximate number of bytes of memory that a queued message needs in addition to its
    /// text.
    static let ownBytes = 64

    /// The number of bytes that count against the limit of the queue. Updates and snapshots count
    /// as 0, because there is at most one update for each view, and one snapshot.
    var byteCount: Int {
        switch self {
        case .update, .snapshot: 0
        case .text(let bytes), .passing(let bytes), .began(_, let bytes),
            .progress(_, _, let bytes), .operations(_, let bytes, _, _):
            Self.ownBytes + bytes.count
        case .items(_, _, let head, let page, let deduplicated):
            Self.ownBytes + head.count + (deduplicated?.byteCount ?? page.items.count)
        }
    }

    /// Returns the message. If the message contains the token, the token is masked.
    func masking(_ token: ResumeToken) -> QueuedMessage {
        guard case .passing(let bytes) = self,
            let masked = JournalMask.masked(bytes, hiding: token)
        else { return self }
        return .passing(masked)
    }

    var isUpdate: Bool {
        if case .update = self { true } else { false }
    }

    /// Whether a client that wants snapshots gets a snapshot with this message.
    var changesSnapshot: Bool {
        switch self {
        case .began, .items, .operations: true
        case .update, .text, .passing, .snapshot, .progress: false
        }
    }

    var isSnapshot: Bool {
        if case .snapshot = self { true } else { false }
    }

    /// Whether the message is useful on this connection only.
    var isConnectionSpecific: Bool {
        switch self {
        case .passing, .snapshot: true
        case .update, .text, .began, .progress, .items, .operations: false
        }
    }

    /// Whether the message concerns only the view with the generation `view`.
    func concernsView(_ view: UInt32) -> Bool {
        switch self {
        case .update(let generation), .progress(let generation, _, _): generation == view
        case .began(let load, _), .items(let load, _, _, _, _), .operations(let load, _, _, _):
            load.generation == view
        case .text, .passing, .snapshot: false
        }
    }

    /// Whether this is a progress message of `load`.
    func isProgress(of load: LoadID) -> Bool {
        if case .progress(_, load, _) = self { true } else { false }
    }
}
