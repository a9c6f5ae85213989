internal import RefreshProtocol
internal import RefreshSession

/// Ends connected sessions when memory runs short. The ended sessions cannot be resumed. Source:
/// docs/operations.md, "When there is too much".
extension SessionHost {
    /// Ends the session at `key` soon. May be called on any thread. `then` is called when the
    /// session has ended, or if it does not exist.
    func shed(_ key: SessionKey, then: @escaping @Sendable () -> Void) {
        sessionsToShed.append(key, then)
        post { $0.shedPendingSessions(at: $1) }
    }

    /// Handles the growth of the memory that a session uses. If sessions must end, marks the
    /// deadline of the grown session as not scheduled. The host schedules the deadline again after
    /// the current message, and then also ends the sessions that must end. Other messages therefore
    /// need no extra check.
    ///
    /// The sessions do not end at once, because the grown session may be handling a message. While
    /// it handles a message, it uses objects that all sessions of the loop share.
    func handleGrowth(of initialKey: SessionKey) {
        guard !sessionsToShed.isEmpty else { return }
        session(at: directory.sessions.key(initialKey: initialKey) ?? initialKey)?
            .recordScheduledDeadline(nil)
    }

    /// Ends the sessions that must end, and closes their connections. Call it only in a job of the
    /// loop.
    func shedPendingSessions(at now: Instant) {
        endPendingSessions(at: now)
        loop.closeCondemnedConnections()
    }

    /// Ends the sessions that must end. If only a part of a frame was sent before a connection was
    /// shut down, this connection is closed later, by the job that `shed` has posted.
    func endPendingSessions(at now: Instant) {
        let all = sessionsToShed.removeAll()
        for (key, _) in all {
            if let session = session(at: key), session.resumeDeadline == nil {
                shed(session, at: now)
            }
        }
        for (_, then) in all { then() }
    }

    /// Ends the session. The connection of the session is closed at once, and its queued output is
    /// dropped. When this returns, all memory of the session is free.
    private func shed(_ session: Session, at now: Instant) {
        metrics.recordSessionShed()
        log(.sessionShed, [.session: session.name, .loop: String(index)])
        session.handle(.end(.outOfMemory), at: now)
        terminate(session, at: now)
    }
}
