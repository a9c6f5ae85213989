/// What one object of a frame turned out to be.
package enum DecodedMessage: Sendable {
    case message(ClientMessage)
    case fault(Fault)
}
