import RefreshEngine
import RefreshProtocol

/// The announcement that the daemon will stop, and the closing of sessions. Source:
/// docs/protocol.md, "Draining".
extension Conversation {
    /// Announces to the client of an open session that its connection will be closed in `closesMs`
    /// milliseconds. If the client wants snapshots, it also gets a snapshot to resume from. If the
    /// session is not open, its connection is closed at once.
    mutating func announceDraining(closesMs: Int, at now: Instant) {
        guard phase.isOpen else { return report(Fault(.draining), at: now) }
        outbox.append(.passing(ServerText.draining(closesMs: closesMs)))
        if snapshotPolicy.isEnabled { outbox.appendSnapshot() }
    }

    /// Whether a load of the client is still running, or output for the client is still queued.
    var hasPendingWork: Bool {
        phase.isOpen
            && (!outbox.messages.isEmpty
                || views.contains { $0.feed != nil && !$0.engine.loadsInFlight.isEmpty })
    }

    /// Closes the connection of a client that has received the announcement. If the client wants
    /// snapshots and `hasPendingWork` is true, it first gets a snapshot. The snapshot contains the
    /// running loads.
    mutating func closeForDraining(at now: Instant) {
        if phase.isOpen, snapshotPolicy.isEnabled, hasPendingWork { outbox.appendSnapshot() }
        report(Fault(.draining), at: now)
    }
}
