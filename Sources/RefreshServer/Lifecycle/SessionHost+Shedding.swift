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

    /// Ends those that are to.
    func shedLeaving(at now: Instant) {
        let all = leaving.takeAll()
        for (key, _) in all {
            if let session = session(at: key), session.waitsUntil == nil {
                shed(session, at: now)
            }
        }
        loop.endCondemned()
        for (_, then) in all { then() }
    }

    /// Its connection is closed at once, with what waits for it, and all that the session has is
    /// free when this returns.
    private func shed(_ session: Session, at now: Instant) {
        metrics.sessionShed()
        log(.sessionShed, [.session: session.name, .loop: String(index)])
        session.end(.outOfMemory, at: now)
        forget(session, at: now)
    }
}
