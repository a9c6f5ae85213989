package import RefreshBroker
package import RefreshProtocol

/// Something that left a session. Source: docs/journal.md, "Outputs".
package enum JournalOutput: Hashable, Sendable {
    /// A text frame, byte for byte.
    case frame([UInt8])
    /// The session wants to be told when the channel takes frames again.
    case wait
    case close(code: UInt16, reason: String)
    /// The session asks who its client is, and waits.
    case identify
    /// The client wants to go on with the session of this name.
    case resume(session: String)
    /// A load is asked of the broker, to end within so many milliseconds.
    case start(LoadID, view: ViewID, LoadWish, deadlineMs: Int)
    /// A load is given up.
    case cancel(LoadID, view: ViewID, because: LeaveReason)
}
