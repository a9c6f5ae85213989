/// What an operator asks of live sessions. Source: docs/operations.md, "Admin".
package enum AdminOrder: Hashable, Sendable {
    /// The sessions whose names stand behind `after`, by name.
    case list(after: String?)
    /// All about one session.
    case look(session: String)
    /// Begins or ends the trace of a session.
    case trace(session: String, isOn: Bool)
    /// Begins or ends the journal of a session.
    case journal(session: String, isOn: Bool)

    /// The session that it is about; nil: all of them.
    var session: String? {
        switch self {
        case .list: nil
        case .look(let session), .trace(let session, _), .journal(let session, _): session
        }
    }
}
