/// An operator's request about live sessions. Source: docs/operations.md, "Admin".
package enum AdminOrder: Hashable, Sendable {
    /// Lists the sessions whose names sort after `after`, sorted by name.
    case list(after: String?)
    /// Describes one session in full.
    case describe(session: String)
    /// Starts or stops the trace of a session: log lines about its events.
    case trace(session: String, isOn: Bool)
    /// Starts or stops the journal of a session.
    case journal(session: String, isOn: Bool)

    /// The session that the request is about; nil: all.
    var session: String? {
        switch self {
        case .list: nil
        case .describe(let session), .trace(let session, _), .journal(let session, _): session
        }
    }
}
