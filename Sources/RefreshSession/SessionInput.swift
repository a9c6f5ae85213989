package import RefreshBroker
package import RefreshProtocol

/// An input of a session. Source: docs/journal.md, "Inputs".
package enum SessionInput: Hashable, Sendable {
    /// The state in which the journal began in the middle of the session; always the first input.
    case begun(JournalCheckpoint)
    /// A text frame, byte for byte.
    case frame([UInt8])
    /// A binary frame, whose content never reaches a session.
    case binary
    /// The channel accepts frames again.
    case writable
    /// The channel's state, if it differs from the previous one (initially true).
    case channel(isWritable: Bool)
    /// An event of a load from the broker.
    case load(LoadID, view: ViewID, LoadEvent)
    /// A feed of one of the session's views has newer data.
    case changed(feed: String)
    /// A deadline may have passed.
    case wake
    /// Timed frames are held until then, because other sessions of the address have used up its
    /// allowance.
    case held(until: Instant)
    /// The daemon ends the session.
    case end(FaultCode)
    /// The daemon is about to stop, and closes the connection in so many milliseconds.
    case draining(closesMs: Int)
    /// The result of the authentication, known at once.
    case known(AdmissionVerdict)
    /// The result of the authentication, which arrived later.
    case identified(AdmissionVerdict)
    /// The connection closed, and the session waits for its client.
    case lost
    /// The client resumed on another connection; the token is for the next resume.
    case resumed(ResumeHandshake, ResumeToken?)
    /// The session that the client tried to resume is not available.
    case refused(ResumeRefusal)
    /// The client resumes the session of a snapshot.
    case rebuilt(SessionSnapshot)
    /// The sealed session; nil: it is too large.
    case sealed(SealedText?)
    /// The connection now belongs to another session, whose journal has the rest, or the session
    /// continues without a journal; always the last input.
    case left
    /// The connection closed, and the session ended with it; always the last input.
    case closed

    /// An event of a load, by its ticket.
    package static func load(_ ticket: LoadTicket, _ event: LoadEvent) -> SessionInput {
        .load(ticket.load, view: ticket.view, event)
    }
}
