package import RefreshProtocol

/// What the nodes of a cluster must know of a session.
extension Session {
    /// The session's history.
    package var history: ResumeHistory { conversation.value.credentials.history }

    /// The number of the last `welcome` on the last line of `history` that the client has certainly
    /// received.
    package func receivedWelcomes(at now: Instant) -> UInt64 {
        conversation.value.credentials.receivedWelcomes(
            isConnected: conversation.value.phase.isConnected, at: now)
    }

    /// Whether the client has ended the session by `bye`, and may have snapshots of it.
    package var leavesSnapshots: Bool {
        let phase = conversation.value.phase
        let isClosing = if case .closing(.normal) = phase.stage { true } else { false }
        return (isClosing || phase.isEndedByClient) && conversation.value.snapshotPolicy.wasEnabled
    }
}
