internal import RefreshProtocol

/// The messages that a client sends at one moment of a gesture.
struct LoadFrame: Hashable, Sendable {
    /// Microseconds since the start of the gesture.
    let at: Int64
    let messages: [LoadMessage]

    /// Writes the frame as a batch that ends with a ping. A server sends all its answers to a frame
    /// in one frame, so the pong identifies the answer. The ping also ensures that a frame which
    /// changes nothing is answered.
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
