internal import RefreshProtocol

/// What a client says at one moment of a gesture.
struct LoadFrame: Hashable, Sendable {
    /// Microseconds since the gesture began.
    let at: Int64
    let messages: [LoadMessage]

    /// Writes it as a batch that ends with a ping, by whose pong the answer is known: all that a
    /// server has to say after a frame goes out in one frame, and a frame that changes nothing is
    /// answered as well.
    func write(into buffer: inout ByteBuffer, seq: inout Int, clockMs: Double, ping: Int) {
        buffer.append(UInt8(ascii: "["))
        for message in messages {
            message.write(into: &buffer, seq: &seq, clockMs: clockMs)
            buffer.append(UInt8(ascii: ","))
        }
        buffer.append(literal: #"{"type":"ping","t":"#)
        buffer.append(ping)
        buffer.append(literal: "}]")
    }
}
