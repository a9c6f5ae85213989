package import RefreshProtocol

/// The daemon is about to stop: its sessions are told, and go at different moments. Source:
/// docs/operations.md, "Draining".
extension SessionHost {
    /// As long as there is so much time for each session, the moments are closer together than they
    /// might be.
    private static let spreadPerSessionMs = 5

    /// Tells all sessions, which go within `spreadMs`; those whose loads run by then are waited for
    /// until `loadsMs` from now.
    package func drain(spreadMs: Int, loadsMs: Int, at now: Instant) {
        guard departures == nil else { return }
        let all = sessions.elements
        let spreadMs = UInt64(min(spreadMs, all.count * Self.spreadPerSessionMs))
        var plan: [(at: Instant, session: SessionKey)] = []
        departures = Departures(
            patienceEnds: now.advanced(byMilliseconds: Double(max(loadsMs, Int(spreadMs)))))
        for session in all {
            guard session.waitsUntil == nil else {
                metrics.sessionReclaimed()
                forget(session, at: now)
                continue
            }
            let closesMs = Int(draw() % (spreadMs + 1))
            session.announceDraining(closesMs: closesMs, at: now)
            // It may wait for its snapshot.
            arm(session)
            plan.append((now.advanced(byMilliseconds: Double(closesMs)), session.key))
        }
        departures?.plan(plan)
        departDue(at: now)
    }

    /// Ends those whose moment has come.
    func departDue(at now: Instant) {
        guard departures != nil else { return }
        while let key = departures?.popDue(at: now) {
            guard let session = session(at: key) else { continue }
            if session.isWaitedFor {
                departures?.linger(key)
            } else {
                session.end(.draining, at: now)
            }
        }
        if let departures, departures.patienceEnds <= now {
            for key in self.departures?.popLingering() ?? [] {
                session(at: key)?.end(.draining, at: now)
            }
        }
        if let next = departures?.nextDeadline { loop.wake(at: next) }
    }

    /// Ends the session if it was waited for, and need not be any longer.
    @inline(__always)
    func departIfDone(_ session: Session, at now: Instant) {
        guard departures != nil else { return }
        departDone(session, at: now)
    }

    @inline(never)
    private func departDone(_ session: Session, at now: Instant) {
        guard !session.isWaitedFor, departures?.release(session.key) == true else { return }
        session.end(.draining, at: now)
    }
}
