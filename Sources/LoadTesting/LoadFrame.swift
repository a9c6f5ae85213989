internal import RefreshProtocol

/// The messages that a client sends at one moment of a gesture.
struct LoadFrame: Hashable, Sendable {
    /// Microseconds since the start of the gesture.
    let at: Int64
    let messages: [LoadMessage]

    /// Writes the frame as a batch that ends with the message `ping`. A server sends all its
    /// answers to a batch in one frame, so the `pong` in that frame identifies the batch. Because
    /// of the `ping`, a server also answers a batch that changes nothing.
    ///
    /// The first message has the additional `members`, which begin with a comma. The `repeated`
    /// messages follow it.
    func write(
        into buffer: inout ByteBuffer, seq: inout Int, clockMs: Double, ping: Int,
        members: [UInt8] = [], repeated: [[UInt8]] = []
    ) {
        buffer.append(UInt8(ascii: "["))
        for (index, message) in messages.enumerated() {
            message.write(
                into: &buffer, seq: &seq, clockMs: clockMs, members: index == 0 ? members : [])
            buffer.append(UInt8(ascii: ","))
            guard index == 0 else { continue }
            for text in repeated {
                buffer.append(text)
                buffer.append(UInt8(ascii: ","))
            }
        }
        buffer.append(literal: #"{"type":"ping","t":"#)
        buffer.append(ping)
        buffer.append(literal: "}]")
    }
}
