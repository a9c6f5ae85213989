/// What one object of a frame turned out to be.
package enum DecodedMessage: Sendable {
    case message(ClientMessage)
    case fault(Fault)
    /// Nothing is left of the frame. No nil, which would cost each message a look at what was not
    /// there.
    case end
}
