internal import RefreshProtocol
internal import RefreshSession

/// There is no memory for all who are connected: some end, and nobody waits for them. Source:
/// docs/operations.md, "When there is too much".
extension SessionHost {
    /// Ends the session there, soon. From any thread; `then` is called when it has ended, or was
    /// gone before.
    func shed(_ key: SessionKey, then: @escaping @Sendable () -> Void) {
        sessionsToShed.append(key, then)
        post { $0.shedPendingSessions(at: $1) }
    }

    /// The session has grown. If others are to end, its next arming sees to them: so a message that
    /// begins nothing has nothing to look at for this.
    ///
    /// Not at once: it may be within its own message, with what all sessions of the loop share.
    func handleGrowth(of birthplace: SessionKey) {
        guard !sessionsToShed.isEmpty else { return }
        session(at: directory.sessions.key(born: birthplace) ?? birthplace)?
            .recordScheduledDeadline(nil)
    }

    /// Ends those that are to, and their connections. In a job.
    func shedPendingSessions(at now: Instant) {
        endPendingSessions(at: now)
        loop.closeCondemnedConnections()
    }

    /// Ends those that are to. A connection that was cut off with half a frame ends with the job
    /// that was posted for it.
    func endPendingSessions(at now: Instant) {
        let all = sessionsToShed.removeAll()
        for (key, _) in all {
            if let session = session(at: key), session.resumeDeadline == nil {
                shed(session, at: now)
            }
        }
        for (_, then) in all { then() }
    }

    /// Its connection is closed at once, with what waits for it, and all that the session has is
    /// free when this returns.
    private func shed(_ session: Session, at now: Instant) {
        metrics.recordSessionShed()
        log(.sessionShed, [.session: session.name, .loop: String(index)])
        session.handle(.end(.outOfMemory), at: now)
        terminate(session, at: now)
    }
}
