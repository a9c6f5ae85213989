/// What a dialed connection can be waited for.
package enum DialedEvent: Hashable, Sendable {
    /// One whole message.
    case message([UInt8], isBinary: Bool)
    /// The connection has ended, with the code and reason of the peer's close frame: 1005 when that
    /// had none, 1006 when there was no such frame. Every further wait has this outcome too.
    case closed(code: UInt16, reason: String)
    /// The time given was over.
    case timedOut

    /// The message as text; nil for anything else.
    package var text: String? {
        guard case .message(let bytes, false) = self else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
