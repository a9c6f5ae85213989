import RefreshBroker
import RefreshProtocol

/// The memory that a session without a connection takes. Source: docs/operations.md, "Sessions
/// without a connection".
extension Conversation {
    /// Estimated bytes of a session. The values below are those of a view with its engine, of a
    /// `ViewPresentation` (which `plain` clients do not have), and of an item key.
    /// `SessionWeightTests` compares the values for `plain` clients with the memory of many
    /// sessions. The other values are estimates.
    static let ownBytes = 4096
    static let bytesPerView = 2048
    static let bytesPerPresentation = 4096
    static let bytesPerKey = 8
    /// Estimated bytes by which a session grows with a new view. The values below are those of a
    /// load and an item key. The estimates are deliberately high, because they only decide when
    /// memory is measured again.
    static let grownBytesPerView = 8192
    static let grownBytesPerLoad = 2048
    static let grownBytesPerKey = 16

    /// The bytes that the session holds, approximately: its queue, the headers and parameters of
    /// its client, and the state of its views.
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
        guard let feed else { return sum }
        sum += Conversation.bytesPerKey * feed.shownItems.hashes.count
        return sum + feed.parameterBytes + feed.headers.count * MemoryLayout<HeaderField>.stride
    }
}

extension [HeaderField] {
    /// The bytes that the headers take, approximately.
    var heldBytes: Int {
        reduce(0) { sum, header in
            sum + MemoryLayout<HeaderField>.stride + header.name.heldBytes + header.value.heldBytes
        }
    }
}

extension [LoadParameter] {
    /// The bytes that the parameters take, approximately.
    var heldBytes: Int {
        reduce(0) { sum, parameter in
            let own = MemoryLayout<LoadParameter>.stride + parameter.name.heldBytes
            guard case .text(let text) = parameter.value else { return sum + own }
            return sum + own + text.heldBytes
        }
    }
}

extension String {
    /// The bytes that the string takes outside its own value. A short string is stored inline. A
    /// longer string has a separate allocation.
    fileprivate var heldBytes: Int {
        utf8.count > 15 ? 48 + utf8.count : 0
    }
}
