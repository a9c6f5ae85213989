/// An operator's request about live sessions. Source: docs/operations.md, "Admin".
package enum AdminOrder: Hashable, Sendable {
    /// Lists the sessions whose names sort after `after`, sorted by name: those of this daemon, or
    /// of all nodes of its cluster.
    case list(after: String?, ofCluster: Bool = false)
    /// Describes the nodes of the cluster.
    case cluster
    /// Describes one session in full.
    case describe(session: String)
    /// Starts or stops the trace of a session: log lines about its events.
    case trace(session: String, isOn: Bool)
    /// Starts or stops the journal of a session.
    case journal(session: String, isOn: Bool)

    /// Whether it lists the sessions of all nodes.
    var isListOfCluster: Bool {
        if case .list(_, let ofCluster) = self { ofCluster } else { false }
    }

    /// The session that the request is about; nil: all.
    var session: String? {
        switch self {
        case .list, .cluster: nil
        case .describe(let session), .trace(let session, _), .journal(let session, _): session
        }
    }
}
