import RefreshBroker
import RefreshProtocol

/// Something that a session has to say, in its place among the others.
enum QueuedMessage {
    /// The merged update of the view of this generation; written from what holds when it is sent.
    case update(generation: UInt32)
    /// A whole message.
    case text([UInt8])
    /// How a load of the view of this generation goes on; the next one takes its place.
    case progress(generation: UInt32, LoadID, [UInt8])
    /// A page for the view of this generation; its items are not copied before they are sent.
    case items(generation: UInt32, head: [UInt8], page: Page, cut: ItemCut?)

    /// Bytes that wait because of it.
    var byteCount: Int {
        switch self {
        case .update: 0
        case .text(let bytes), .progress(_, _, let bytes): bytes.count
        case .items(_, let head, let page, let cut):
            head.count + (cut?.byteCount ?? page.items.count)
        }
    }

    var isUpdate: Bool {
        if case .update = self { true } else { false }
    }

    /// Whether it concerns the view of that generation and none else.
    func isAbout(_ view: UInt32) -> Bool {
        switch self {
        case .update(let generation), .progress(let generation, _, _),
            .items(let generation, _, _, _):
            generation == view
        case .text: false
        }
    }

    /// Whether it tells how that load goes on.
    func isProgress(of load: LoadID) -> Bool {
        if case .progress(_, load, _) = self { true } else { false }
    }
}
