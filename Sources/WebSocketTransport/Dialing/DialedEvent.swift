/// An event of a dialed connection.
package enum DialedEvent: Hashable, Sendable {
    /// One complete message.
    case message([UInt8], isBinary: Bool)
    /// The connection has ended. Code and reason are those of the peer's close frame: the code is
    /// 1005 if the frame had none, and 1006 if there was no such frame. Every later wait has this
    /// result as well.
    case closed(code: UInt16, reason: String)
    /// The time limit was exceeded.
    case timedOut

    /// The text of a text message; nil for anything else.
    package var text: String? {
        guard case .message(let bytes, false) = self else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
