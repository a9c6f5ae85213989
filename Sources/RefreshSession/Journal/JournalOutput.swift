package import RefreshBroker
package import RefreshProtocol

/// An output of a session. Source: docs/journal.md, "Outputs".
package enum JournalOutput: Hashable, Sendable {
    /// A text frame, byte for byte.
    case frame([UInt8])
    /// The session asks to be notified when the channel accepts frames again.
    case wait
    case close(code: UInt16, reason: String)
    /// The session requests the client's authentication, and waits.
    case identify
    /// The client tries to resume the session of this name.
    case resume(session: String)
    /// The broker is requested to run a load within so many milliseconds.
    case start(LoadID, view: ViewID, BrokerRequest, deadlineMs: Int)
    /// A load is cancelled.
    case cancel(LoadID, view: ViewID, because: LeaveReason)
}
