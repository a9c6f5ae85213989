package import RefreshProtocol
internal import RefreshSession

/// Announces to the sessions that the daemon is about to stop, and closes them at different
/// moments. Source: docs/operations.md, "Draining".
extension SessionHost {
    /// The spread is the time over which the closing of the sessions is distributed.
    /// `spreadPerSessionMs` is the maximum time that each session adds to the spread, in
    /// milliseconds. With few sessions, the spread is therefore shorter than the configured
    /// `spreadMs`.
    private static let spreadPerSessionMs = 5

    /// Ends the detached sessions at once, and announces the stop to all other sessions. The other
    /// sessions are closed within `spreadMs`. A session with running loads is kept until its loads
    /// have ended, but at most for `loadsMs` from now.
    package func drain(spreadMs: Int, loadsMs: Int, at now: Instant) {
        guard drainSchedule == nil else { return }
        let all = sessions.elements
        let spreadMs = UInt64(min(spreadMs, all.count * Self.spreadPerSessionMs))
        var plan: [(at: Instant, session: SessionKey)] = []
        drainSchedule = DrainSchedule(
            loadsDeadline: now.advanced(byMilliseconds: Double(max(loadsMs, Int(spreadMs)))))
        for session in all {
            guard session.resumeDeadline == nil else {
                metrics.recordSessionReclaimed()
                terminate(session, at: now)
                continue
            }
            let closesMs = Int(randomBits() % (spreadMs + 1))
            session.handle(.draining(closesMs: closesMs), at: now)
            // If the announcement contains a snapshot, the rate limit of snapshots can delay the
            // announcement. The session must then be woken to send it.
            arm(session)
            plan.append((now.advanced(byMilliseconds: Double(closesMs)), session.key))
        }
        drainSchedule?.schedule(plan)
        closeDueSessions(at: now)
    }

    /// Ends the sessions that are due. A session with running loads first waits until its loads
    /// have ended.
    func closeDueSessions(at now: Instant) {
        guard drainSchedule != nil else { return }
        while let key = drainSchedule?.popDue(at: now) {
            guard let session = session(at: key) else { continue }
            if session.hasPendingWork {
                drainSchedule?.deferUntilLoadsEnd(key)
            } else {
                session.handle(.end(.draining), at: now)
            }
        }
        if let drainSchedule, drainSchedule.loadsDeadline <= now {
            for key in self.drainSchedule?.removeAllAwaitingLoads() ?? [] {
                session(at: key)?.handle(.end(.draining), at: now)
            }
        }
        if let next = drainSchedule?.nextDeadline { loop.scheduleWakeup(at: next) }
    }

    /// Ends the session if it was kept only until the end of its loads, and the loads have ended.
    @inline(__always)
    func closeIfDrained(_ session: Session, at now: Instant) {
        guard drainSchedule != nil else { return }
        closeDrained(session, at: now)
    }

    @inline(never)
    private func closeDrained(_ session: Session, at now: Instant) {
        guard !session.hasPendingWork, drainSchedule?.endWait(of: session.key) == true else {
            return
        }
        session.handle(.end(.draining), at: now)
    }
}
