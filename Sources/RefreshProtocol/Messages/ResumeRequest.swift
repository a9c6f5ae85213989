/// What a client says to go on with a session. Source: docs/protocol.md, "Coming back".
package struct ResumeRequest: Hashable, Sendable {
    /// The session's name.
    package var session: String
    /// As in its last `welcome`.
    package var token: String
    /// The largest `ack` that the client has seen.
    package var ack: UInt64
    /// Of each view the last load that the client has items of.
    package var received: [LoadID]
    /// The last sealed snapshot, as it came; nil: none.
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
