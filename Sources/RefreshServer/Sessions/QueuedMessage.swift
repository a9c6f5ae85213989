import RefreshBroker
import RefreshProtocol

/// Something that a session has to say, in its place among the others.
enum QueuedMessage: Hashable, Codable {
    /// The merged update of the view of this generation; written from what holds when it is sent.
    case update(generation: UInt32)
    /// A whole message.
    case text([UInt8])
    /// A whole message that means nothing on another connection, or is told anew there.
    case passing([UInt8])
    /// That this load began; told anew to who comes back while it runs.
    case began(LoadID, [UInt8])
    /// A sealed snapshot is wanted; it is told behind all else in its frame.
    case snapshot
    /// How a load of the view of this generation goes on; the next one takes its place.
    case progress(generation: UInt32, LoadID, [UInt8])
    /// The page that this load brought; its items are not copied before they are sent.
    case items(LoadID, LoadKind, head: [UInt8], page: Page, cut: ItemCut?)

    /// Bytes of the memory that each message takes beside its own, about.
    static let ownBytes = 64

    /// Bytes that wait because of it. Of updates and snapshots there are few: one of each view, and
    /// one.
    var byteCount: Int {
        switch self {
        case .update, .snapshot: 0
        case .text(let bytes), .passing(let bytes), .began(_, let bytes),
            .progress(_, _, let bytes):
            Self.ownBytes + bytes.count
        case .items(_, _, let head, let page, let cut):
            Self.ownBytes + head.count + (cut?.byteCount ?? page.items.count)
        }
    }

    /// The same, of a message that tells a token: without it.
    func masking(_ token: ResumeToken) -> QueuedMessage {
        guard case .passing(let bytes) = self,
            let masked = JournalMask.masked(bytes, telling: token)
        else { return self }
        return .passing(masked)
    }

    var isUpdate: Bool {
        if case .update = self { true } else { false }
    }

    /// Whether a client that wants snapshots is given one with it.
    var changesSnapshot: Bool {
        switch self {
        case .began, .items: true
        case .update, .text, .passing, .snapshot, .progress: false
        }
    }

    var isSnapshot: Bool {
        if case .snapshot = self { true } else { false }
    }

    /// Whether it is of use on this connection alone.
    var isPassing: Bool {
        switch self {
        case .passing, .snapshot: true
        case .update, .text, .began, .progress, .items: false
        }
    }

    /// Whether it concerns the view of that generation and none else.
    func isAbout(_ view: UInt32) -> Bool {
        switch self {
        case .update(let generation), .progress(let generation, _, _): generation == view
        case .began(let load, _), .items(let load, _, _, _, _): load.generation == view
        case .text, .passing, .snapshot: false
        }
    }

    /// Whether it tells how that load goes on.
    func isProgress(of load: LoadID) -> Bool {
        if case .progress(_, load, _) = self { true } else { false }
    }
}
