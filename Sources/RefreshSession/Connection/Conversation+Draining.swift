import RefreshEngine
import RefreshProtocol

/// What a session does when the daemon is about to stop. Source: docs/protocol.md, "Draining".
extension Conversation {
    /// Announces to an open client that its connection will be closed in `closesMs` milliseconds,
    /// with a snapshot to resume from. Clients in any other stage are closed at once.
    mutating func announceDraining(closesMs: Int, at now: Instant) {
        guard phase.isOpen else { return report(Fault(.draining), at: now) }
        outbox.append(.passing(ServerText.draining(closesMs: closesMs)))
        if snapshotPolicy.isWanted { outbox.appendSnapshot() }
    }

    /// Whether a load still runs for the client, or something is still queued for it.
    var hasPendingWork: Bool {
        phase.isOpen
            && (!outbox.messages.isEmpty
                || views.contains { $0.feed != nil && !$0.engine.loadsInFlight.isEmpty })
    }

    /// Closes the connection of a client that has received the announcement. A client with a
    /// running load first gets a snapshot that contains it, to resume from.
    mutating func closeForDraining(at now: Instant) {
        if phase.isOpen, snapshotPolicy.isWanted, hasPendingWork { outbox.appendSnapshot() }
        report(Fault(.draining), at: now)
    }
}
