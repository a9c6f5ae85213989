/// A client's request to resume a session. Source: docs/protocol.md, "Coming back".
package struct ResumeRequest: Hashable, Sendable {
    /// The session's name.
    package var session: String
    /// The token of the last `welcome`.
    package var token: String
    /// The largest `ack` that the client has received.
    package var ack: UInt64
    /// For each view, the last load of which the client has items.
    package var received: [LoadID]
    /// The last sealed snapshot, unchanged; nil if there is none.
    package var snapshot: String?

    package init(
        session: String, token: String, ack: UInt64 = 0, received: [LoadID] = [],
        snapshot: String? = nil
    ) {
        self.session = session
        self.token = token
        self.ack = ack
        self.received = received
        self.snapshot = snapshot
    }
}

/// Why a client that tries to resume its session gets a new session instead. Source:
/// docs/protocol.md, "Coming back".
package enum ResumeRefusal: String, CaseIterable, Error, Sendable {
    case unknownSession
    case wrongToken
    case otherSubject
    case resultsLost
    case snapshotInvalid
    case snapshotExpired
    case snapshotStale
    case changedConfiguration
    case switchedOff
}
