/// The rules of a cluster. In a world with a cluster, the text of a failure of one of these rules
/// begins with the rule in brackets. Source: docs/simulation.md, "Clusters".
package enum ClusterRule: String, CaseIterable, Sendable {
    /// Each page is accepted exactly once, and holds the items of its request.
    case items
    /// At most one daemon has a session: after the healing, and otherwise soon after the session
    /// was claimed.
    case holder
    /// A snapshot that was revoked or superseded is refused.
    case refusal
    /// Equal requests cause at most one call in each part of the cluster, and each node performs a
    /// load once for each time that a session has started the load.
    case calls
    /// Each change is shown by each view of its feed.
    case changed
    /// No connection is closed because of the bus.
    case session
    /// No load fails because of the bus.
    case load
}

/// A node that breaks a rule on purpose, so that the tests show that each rule can fail.
package enum ClusterDefect: String, CaseIterable, Sendable {
    /// The daemon ignores the pages that a client has received when it resumes its session.
    case repeatsItems
    /// The owner gives the page of one load as the answer to another one.
    case mixesAnswers
    /// The daemon does not notice that a client has closed its connection. The session is therefore
    /// not revoked, because a session ends with its connection.
    case keepsConnections
    /// The node rebuilds each session at once, and writes no entry of a session.
    case approvesClaims
    /// The node keeps a session that another node has claimed.
    case keepsLostSessions
    /// The node takes each session back that its client has continued at another node: it reports
    /// that the client has received one more `welcome` here.
    case overstatesHeads
    /// The node does not note that a client has ended its session.
    case ignoresRevocations
    /// The node does not write that a client has received its last `welcome`.
    case ignoresConfirmations
    /// The broker does not learn the owners of requests.
    case ignoresOwners
    /// A message that asks for a load and arrives twice is performed twice.
    case repeatsLoads
    /// A change is not reported to the other nodes.
    case losesChanges
    /// The daemon does not notify a session that it rebuilds from a snapshot of earlier changes.
    case forgetsEarlierChanges
    /// The daemon closes its sessions when it loses the bus.
    case closesSessions
    /// The loads that other nodes perform fail when the daemon loses the bus.
    case failsLoads

    /// The rule that the node breaks.
    package var brokenRule: ClusterRule {
        switch self {
        case .repeatsItems, .mixesAnswers: .items
        case .approvesClaims, .keepsLostSessions, .overstatesHeads: .holder
        case .keepsConnections, .ignoresRevocations, .ignoresConfirmations: .refusal
        case .ignoresOwners, .repeatsLoads: .calls
        case .losesChanges, .forgetsEarlierChanges: .changed
        case .closesSessions: .session
        case .failsLoads: .load
        }
    }

    /// The frame that the daemon receives in place of the client's frame.
    func received(_ frame: [UInt8]) -> [UInt8] {
        guard self == .repeatsItems else { return frame }
        return frame.replacing(
            Array("\"received\":".utf8), with: Array("\"ignored\":".utf8), maxReplacements: 1)
    }
}
