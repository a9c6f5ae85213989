internal import RefreshProtocol

/// There is no memory for all who are connected: some end, and nobody waits for them. Source:
/// docs/operations.md, "When there is too much".
extension SessionHost {
    /// Ends the session there, soon. From any thread; `then` is called when it has ended, or was
    /// gone before.
    func shed(_ key: SessionKey, then: @escaping @Sendable () -> Void) {
        leaving.append(key, then)
        post { $0.shedLeaving(at: $1) }
    }

    /// The session has grown. If others are to end, its next arming sees to them: so a message that
    /// begins nothing has nothing to look at for this.
    ///
    /// Not at once: it may be within its own message, with what all sessions of the loop share.
    func hasGrown(_ birthplace: SessionKey) {
        guard !leaving.isEmpty else { return }
        session(at: directory.sessions.place(born: birthplace) ?? birthplace)?.armed = nil
    }

    /// Ends those that are to, and their connections. In a job.
    func shedLeaving(at now: Instant) {
        endLeaving(at: now)
        loop.endCondemned()
    }

    /// Ends those that are to. A connection that was cut off with half a frame ends with the job
    /// that was posted for it.
    func endLeaving(at now: Instant) {
        let all = leaving.takeAll()
        for (key, _) in all {
            if let session = session(at: key), session.waitsUntil == nil {
                shed(session, at: now)
            }
        }
        for (_, then) in all { then() }
    }

    /// Its connection is closed at once, with what waits for it, and all that the session has is
    /// free when this returns.
    private func shed(_ session: Session, at now: Instant) {
        metrics.sessionShed()
        log(.sessionShed, [.session: session.name, .loop: String(index)])
        session.handle(.end(.outOfMemory), at: now)
        forget(session, at: now)
    }
}
