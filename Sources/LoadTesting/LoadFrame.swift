internal import RefreshProtocol

/// The messages a client sends at one moment of a gesture.
struct LoadFrame: Hashable, Sendable {
    /// Microseconds since the start of the gesture.
    let at: Int64
    let messages: [LoadMessage]

    /// Writes the frame as a batch that ends with a ping; its pong identifies the answer. A server
    /// sends all its answers to a frame in one frame, and the ping makes it answer even a frame
    /// that changes nothing.
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
