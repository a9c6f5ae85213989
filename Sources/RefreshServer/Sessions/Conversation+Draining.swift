import RefreshEngine
import RefreshProtocol

/// The daemon is about to stop. Source: docs/protocol.md, "Draining".
extension Conversation {
    /// Tells an open client that its connection will be closed in so many milliseconds, with what
    /// it can come back by; others are closed at once.
    mutating func announceDraining(closesMs: Int, at now: Instant) {
        guard isOpen else { return report(Fault(.draining), at: now) }
        enqueue(.passing(ServerText.draining(closesMs: closesMs)))
        if wantsSnapshots { enqueueSnapshot() }
    }

    /// Whether the daemon still works for the client, or has not yet told what came of that.
    var isWaitedFor: Bool {
        isOpen
            && (!queue.isEmpty
                || views.contains { $0.feed != nil && !$0.engine.loadsInFlight.isEmpty })
    }

    /// Closes the connection of a client that was told. One that waits for a load comes back by a
    /// snapshot that has it.
    mutating func closeForDraining(at now: Instant) {
        if isOpen, wantsSnapshots, isWaitedFor { enqueueSnapshot() }
        report(Fault(.draining), at: now)
    }
}
