package import RefreshBroker
package import RefreshProtocol

/// An input of a session. Source: docs/journal.md, "Inputs".
package enum SessionInput: Hashable, Sendable {
    /// The state of a running session at the start of its journal. This is always the first input.
    case begun(JournalCheckpoint)
    /// A text frame, byte for byte.
    case frame([UInt8])
    /// A binary frame, whose content never reaches a session.
    case binary
    /// The channel accepts frames again.
    case writable
    /// Whether the channel is writable. This input is recorded only when the value changes. A new
    /// channel is writable.
    case channel(isWritable: Bool)
    /// An event from the broker about a load.
    case load(LoadID, view: ViewID, LoadEvent)
    /// A feed of one of the session's views has newer data. If `refreshAt` is not nil, the
    /// refreshes for the change begin at this time. A refresh that is already delayed keeps its
    /// time. `count`: the number of newer items since the previous change. `items`: what has
    /// changed in the lists of the feed; nil if this is not known.
    case changed(
        feed: String, refreshAt: Instant? = nil, count: NewerCount = .unknown,
        items: [ItemChange]? = nil)
    /// An edit of the view with this generation has ended. `change` is what the edit has made of
    /// the list; nil if the backend has not performed it.
    indirect case edited(view: UInt32, edit: String, EditOutcome, ItemChange?)
    /// A deadline may have passed.
    case wake
    /// Clock-driven frames are held until this time, because the sessions of the client's network
    /// have used up the allowance of the network.
    case held(until: Instant)
    /// The daemon ends the session.
    case end(FaultCode)
    /// The daemon is about to stop, and closes the connection in `closesMs` milliseconds.
    case draining(closesMs: Int)
    /// The result of the authentication, known at once.
    case known(AdmissionVerdict)
    /// The result of the authentication, which arrived later.
    case identified(AdmissionVerdict)
    /// The connection closed, and the session waits for its client.
    case lost
    /// The client resumed on another connection. The token is for the next resume.
    case resumed(ResumeHandshake, ResumeToken?)
    /// The session that the client tried to resume is not available.
    case refused(ResumeRefusal)
    /// The client resumes the session of a snapshot.
    case rebuilt(SessionSnapshot)
    /// The sealed snapshot of the session; nil if it is too large.
    case sealed(SealedText?)
    /// The journal ends before the session does. Either the connection now belongs to another
    /// session, which has its own journal, or the session continues without a journal. This is
    /// always the last input.
    case left
    /// The connection closed, and the session ended with it. This is always the last input.
    case closed

    /// An event of the load with this ticket.
    package static func load(_ ticket: LoadTicket, _ event: LoadEvent) -> SessionInput {
        .load(ticket.load, view: ticket.view, event)
    }

    /// The outcome of the edit with this ticket, which the broker was asked for by `request`.
    package static func edited(
        _ ticket: EditTicket, _ request: EditRequest, _ outcome: EditOutcome
    ) -> SessionInput {
        let operations: [ItemOperation]? =
            switch outcome {
            case .confirmed: request.operations(replacedBy: nil)
            case .replaced(let item): request.operations(replacedBy: item)
            case .failed, .unknown, .cancelled: nil
            }
        let change = operations.map { ItemChange(parameters: request.parameters, $0) }
        return .edited(view: ticket.view, edit: ticket.edit, outcome, change)
    }
}
