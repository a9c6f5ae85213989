internal import RefreshProtocol

/// One message of a gesture. Its constant part is encoded in advance.
struct LoadMessage: Hashable, Sendable {
    /// The message as JSON, without its closing brace and its `seq`, `t` and `generation`.
    let head: [UInt8]
    /// Whether the message gets a `seq`.
    let hasSeq: Bool
    /// The `t` of the message, in milliseconds since the start of the gesture. Nil if it has none.
    let sinceMs: Double?
    /// Whether and how long a client that comes back keeps the message; nil if it does not.
    let retention: MessageRetention?
    /// The view whose pages the message discards: the view of a `reset`, or of a new query. Nil for
    /// other messages.
    let discardedView: String?

    /// Creates a message. `beganMs` is the client's clock at the start of the gesture.
    init(_ value: JSONValue, beganMs: Double = 0) {
        var rest = value
        retention = MessageRetention(of: value)
        let type = value["type"]?.string
        let discards = type == "reset" || type == "configure" && value["parameters"] != nil
        discardedView = discards ? value["view"]?.string : nil
        hasSeq = value["seq"] != nil
        sinceMs = value["t"]?.number.flatMap { t in
            let since = ((t - beganMs) * 10).rounded() / 10
            return since.isFinite ? since : nil
        }
        for name in ["seq", "t", "generation"] { rest[name] = nil }
        head = Array(rest.text.utf8.dropLast())
    }

    /// Writes the message. If the message has a `seq`, `seq` is incremented first. `clockMs` is the
    /// time at which the gesture started. `members` are further members, which begin with a comma.
    @inline(__always)
    func write(
        into buffer: inout ByteBuffer, seq: inout Int, clockMs: Double, members: [UInt8] = []
    ) {
        buffer.append(head)
        buffer.append(members)
        if hasSeq {
            seq += 1
            buffer.append(literal: #","seq":"#)
            buffer.append(seq)
        }
        if let sinceMs {
            buffer.append(literal: #","t":"#)
            buffer.append(clockMs + sinceMs)
        }
        buffer.append(UInt8(ascii: "}"))
    }
}
