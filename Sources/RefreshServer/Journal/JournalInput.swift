package import RefreshBroker
package import RefreshProtocol

/// Something that entered a session. Source: docs/journal.md, "Inputs".
package enum JournalInput: Hashable, Sendable {
    /// The journal is begun in the middle of the session's life: how it was then; always the first.
    case begun(LivingSession)
    /// A text frame, byte for byte.
    case frame([UInt8])
    /// A binary frame, whose content never reaches a session.
    case binary
    /// The channel takes frames again.
    case writable
    /// What the channel answered, where it differs from its last answer (at first: true).
    case channel(isWritable: Bool)
    /// The broker told of a load.
    case load(LoadID, view: ViewID, LoadNews)
    /// A feed that the session has views of has newer data.
    case changed(feed: String)
    /// A deadline may have passed.
    case wake
    /// Frames by the clock wait until then: others of the address were sent as many as may be.
    case held(until: Instant)
    /// The daemon ends the session.
    case end(FaultCode)
    /// The daemon is about to stop, and closes the connection in so many milliseconds.
    case draining(closesMs: Int)
    /// Who the client is, said when the session asked.
    case known(AdmissionVerdict)
    /// Who the client is, said later.
    case identified(AdmissionVerdict)
    /// The connection is gone, and the session waits for its client.
    case lost
    /// The client is back on another connection, with this token for the next time.
    case resumed(Homecoming, ResumeToken?)
    /// The session that the client wanted to go on with is not to be had.
    case refused(ResumeRefusal)
    /// The client goes on with the session of a snapshot.
    case rebuilt(SessionSnapshot)
    /// What came of sealing the session; nil: it is too large.
    case sealed(SealedText?)
    /// The connection belongs to another session from now on, whose journal has the rest, or the
    /// session goes on unrecorded; always the last.
    case left
    /// The connection is gone, and the session with it; always the last.
    case closed
}
