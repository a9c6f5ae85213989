import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// The memory that a session without a connection uses. Source: docs/operations.md, "Sessions
/// without a connection".
extension Conversation {
    /// The estimated bytes of a session without its views. The next three constants are the
    /// estimates for a view with its engine, for a `ViewPresentation` (which `plain` clients do not
    /// have), and for an item key. `SessionWeightTests` compares the estimates for `plain` clients
    /// with the measured memory of many sessions.
    static let ownBytes = 4096
    static let bytesPerView = 2048
    static let bytesPerPresentation = 4096
    static let bytesPerKey = 8
    /// The estimated bytes by which a session grows with a new view. The next two constants are the
    /// estimates for a load and for an item key. These three estimates are deliberately high,
    /// because they only decide when memory is measured again.
    static let grownBytesPerView = 8192
    static let grownBytesPerLoad = 2048
    static let grownBytesPerKey = 16

    /// The approximate number of bytes that the session uses: its queue, the headers and parameters
    /// of its client, and the state of its views.
    var heldBytes: Int {
        let own = Self.ownBytes + outbox.queuedBytes + headers.heldBytes
        return views.reduce(own) { $0 + $1.heldBytes }
    }
}

extension ViewSlot {
    /// The bytes of the parameters that the view was attached with.
    var parameterBytes: Int { feed?.parameterBytes ?? 0 }

    fileprivate var heldBytes: Int {
        var sum = Conversation.bytesPerView
        if presentation != nil { sum += Conversation.bytesPerPresentation }
        sum += engine.inSightBytes
        guard let feed else { return sum }
        sum += Conversation.bytesPerKey * feed.shownItems.hashes.count
        if let list = feed.sentList?.list {
            // The keys of a reversed list have another order than `shownItems`.
            let hashes = engine.options.layout.isReversed ? 2 : 1
            sum += Conversation.bytesPerKey * list.count * hashes
        }
        sum += feed.live?.value.heldBytes ?? 0
        sum += feed.edits?.value.heldBytes ?? 0
        return sum + feed.parameterBytes + feed.headers.count * MemoryLayout<HeaderField>.stride
    }
}

extension [HeaderField] {
    /// The approximate number of bytes that the headers use.
    var heldBytes: Int {
        reduce(0) { sum, header in
            sum + MemoryLayout<HeaderField>.stride + header.name.heldBytes + header.value.heldBytes
        }
    }
}

extension [LoadParameter] {
    /// The approximate number of bytes that the parameters use.
    var heldBytes: Int {
        reduce(0) { sum, parameter in
            let own = MemoryLayout<LoadParameter>.stride + parameter.name.heldBytes
            guard case .text(let text) = parameter.value else { return sum + own }
            return sum + own + text.heldBytes
        }
    }
}

extension String {
    /// The approximate number of bytes that the string uses outside its own value. A short string
    /// is stored inline. A longer string has a separate allocation.
    fileprivate var heldBytes: Int {
        utf8.count > 15 ? 48 + utf8.count : 0
    }
}
