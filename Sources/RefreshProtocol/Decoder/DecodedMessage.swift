/// The result of decoding one object of a frame.
package enum DecodedMessage: Sendable {
    case message(ClientMessage)
    case fault(Fault)
    /// The frame is completely decoded. A case is used rather than nil, which would cost an
    /// additional test for each message.
    case end
}
