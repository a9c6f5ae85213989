import RefreshBroker
import RefreshProtocol

/// What a session without a connection takes of the memory. Source: docs/operations.md, "Sessions
/// without a connection".
extension Conversation {
    /// Of the session itself; of a view, which has an engine; of what a view has besides whose
    /// client draws by layers or paints by itself; of the key of an item. Of `plain` clients held
    /// against what a crowd of them takes; of others estimated (`SessionWeightTests`).
    static let ownBytes = 4096
    static let bytesPerView = 2048
    static let bytesPerLook = 4096
    static let bytesPerKey = 8
    /// What a view, a load and a key of an item may take when they come: rather too much, for it is
    /// only said to be looked at.
    static let grownBytesPerView = 8192
    static let grownBytesPerLoad = 2048
    static let grownBytesPerKey = 16

    /// The bytes that it holds, about: what waits for its client, what that has given, and what
    /// its views remember.
    var heldBytes: Int {
        let own = Self.ownBytes + queuedBytes + headers.heldBytes
        return views.reduce(own) { $0 + $1.heldBytes }
    }
}

extension ViewSlot {
    /// Of the values that it was attached with.
    var parameterBytes: Int { feed?.parameterBytes ?? 0 }

    fileprivate var heldBytes: Int {
        var sum = Conversation.bytesPerView
        if look != nil { sum += Conversation.bytesPerLook }
        guard let feed else { return sum }
        sum += Conversation.bytesPerKey * feed.shownItems.hashes.count
        return sum + feed.parameterBytes + feed.headers.count * MemoryLayout<HeaderField>.stride
    }
}

extension [HeaderField] {
    /// The bytes that they take, about.
    var heldBytes: Int {
        reduce(0) { sum, header in
            sum + MemoryLayout<HeaderField>.stride + header.name.heldBytes + header.value.heldBytes
        }
    }
}

extension [LoadParameter] {
    /// The bytes that they take, about.
    var heldBytes: Int {
        reduce(0) { sum, parameter in
            let own = MemoryLayout<LoadParameter>.stride + parameter.name.heldBytes
            guard case .text(let text) = parameter.value else { return sum + own }
            return sum + own + text.heldBytes
        }
    }
}

extension String {
    /// Beside itself: a short one has all of its bytes there, any other one a place of its own.
    fileprivate var heldBytes: Int {
        utf8.count > 15 ? 48 + utf8.count : 0
    }
}
