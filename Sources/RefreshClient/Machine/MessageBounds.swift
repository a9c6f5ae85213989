import RefreshProtocol

/// The limits of the daemon for a message of the client. Before the first `welcome`, they have
/// their defaults. Source: docs/protocol.md, "Limits".
struct MessageBounds: Hashable, Sendable {
    /// The bytes of one string, as encoded in the frame.
    private(set) var stringBytesMax = 1024
    /// The bytes of a frame.
    private(set) var frameBytesMax = 65_536
    /// The messages of a frame.
    private(set) var messagesMax = 64

    init() {}

    /// Reads `limits` of `welcome`.
    init(_ limits: JSONValue) {
        let known = Self()
        stringBytesMax =
            limits["stringBytesMax"]?.integer(in: 64...65_536) ?? known.stringBytesMax
        frameBytesMax = limits["frameBytesMax"]?.integer(in: 1...1 << 30) ?? known.frameBytesMax
        messagesMax = limits["batchMessagesMax"]?.integer(in: 1...65_536) ?? known.messagesMax
    }

    /// Why the daemon would refuse the whole frame of this message; nil if it would not.
    func flaw(of message: JSONValue) -> MessageFlaw? {
        if let field = message.nonFiniteField {
            return MessageFlaw(
                code: .numberOutOfRange, field: field, text: "`\(field)` is not a finite number")
        }
        if let field = message.field(longerThan: stringBytesMax) {
            return MessageFlaw(
                code: .stringTooLong, field: field,
                text: "`\(field)` has more than \(stringBytesMax) bytes")
        }
        guard message.text.utf8.count > frameBytesMax else { return nil }
        return MessageFlaw(
            code: .frameTooLarge, field: nil, text: "it has more than \(frameBytesMax) bytes")
    }
}

/// The reason why the daemon would refuse the whole frame of a message.
struct MessageFlaw: Hashable, Sendable {
    var code: FaultCode
    /// The path of the field; nil: the whole message.
    var field: String?
    /// The reason, as the end of a sentence.
    var text: String
}
