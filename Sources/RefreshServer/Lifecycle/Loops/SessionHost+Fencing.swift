package import RefreshCluster
internal import RefreshProtocol
internal import RefreshSession

/// The part of a loop in keeping each session at one node of a cluster. Source: docs/cluster.md,
/// "One holder of a session".
extension SessionHost {
    /// Claims the session of a snapshot before it is rebuilt in place of `session`. The rebuilding
    /// continues when the claim is answered. Returns false if no claim is needed.
    func claim(
        _ snapshot: SessionSnapshot, for attempt: ResumeAttempt, after refusal: ResumeRefusal,
        as session: Session, at now: Instant
    ) -> Bool {
        let name = snapshot.session.name
        // If the name is taken, the session is already at this node.
        guard let fence = directory.fence, !attempt.isClaimed,
            directory.sessions.key(of: name) == nil
        else { return false }
        var history = (snapshot.history ?? ResumeHistory([])).continued(as: session.name)
        history.recordWelcome()
        guard let head = SessionHead(history, received: 0) else { return false }
        var claimed = attempt
        claimed.isClaimed = true
        let number = claims.insert(WaitingClaims.Claim(attempt: claimed, refusal: refusal, at: now))
        if let due = claims.nextDeadline { loop.scheduleWakeup(at: due) }
        fence.claim(name, head) { verdict in
            self.post { host, now in
                if let claim = host.claims.remove(number) { host.decide(claim, verdict, at: now) }
                // The claim stood for the session. If an older line of it is here, it is checked.
                if verdict == .superseded || verdict == .revoked { host.directory.inspect(name) }
            }
        }
        return true
    }

    private func decide(_ claim: WaitingClaims.Claim, _ verdict: ClaimVerdict, at now: Instant) {
        switch verdict {
        case .fenced, .unfenced: handleRefusal(claim.refusal, to: claim.attempt, at: now)
        case .superseded: handleRefusal(.wrongToken, to: claim.attempt, at: now)
        case .revoked:
            handleRefusal(.unknownSession, to: claim.attempt.withoutSnapshot, at: now)
        }
    }

    /// Rebuilds the sessions whose claims have waited too long. The fence answers sooner, unless
    /// its thread is busy. Answers that have arrived come first.
    func expireClaims(at now: Instant) {
        guard let due = claims.nextDeadline else { return }
        guard due <= now else { return loop.scheduleWakeup(at: due) }
        post { host, now in
            for claim in host.claims.removeDue(at: now) { host.decide(claim, .unfenced, at: now) }
            if let due = host.claims.nextDeadline { host.loop.scheduleWakeup(at: due) }
        }
    }

    /// Reports that the session is not at this node any more.
    func releaseFence(of session: Session, at now: Instant) {
        guard let fence = directory.fence else { return }
        fence.post(
            .ended(
                session: session.name, line: session.history.steps.last?.line ?? "",
                revoking: session.leavesSnapshots ? session.head(at: now) : nil))
    }
}

/// The claims of a loop that the fence has not answered.
struct WaitingClaims {
    struct Claim {
        /// The attempt and the refusal with which the rebuilding continues.
        let attempt: ResumeAttempt
        let refusal: ResumeRefusal
        fileprivate let deadline: Instant

        init(attempt: ResumeAttempt, refusal: ResumeRefusal, at now: Instant) {
            self.attempt = attempt
            self.refusal = refusal
            deadline = now.advanced(byMilliseconds: SessionFence.claimMs + WaitingClaims.graceMs)
        }
    }

    /// The time in milliseconds for an answer to arrive that the fence gives in time.
    private static let graceMs = 50.0

    /// The claims by number, which is also the order of their deadlines.
    private var claims: [UInt64: Claim] = [:]
    private var firstNumber: UInt64 = 0
    private var nextNumber: UInt64 = 0

    /// Returns the number of the claim.
    mutating func insert(_ claim: Claim) -> UInt64 {
        claims[nextNumber] = claim
        nextNumber += 1
        return nextNumber - 1
    }

    /// Returns nil if the claim does not wait any more.
    mutating func remove(_ number: UInt64) -> Claim? {
        defer { while firstNumber < nextNumber, claims[firstNumber] == nil { firstNumber += 1 } }
        return claims.removeValue(forKey: number)
    }

    var nextDeadline: Instant? { claims[firstNumber]?.deadline }

    mutating func removeDue(at now: Instant) -> [Claim] {
        var due: [Claim] = []
        while let deadline = nextDeadline, deadline <= now, let claim = remove(firstNumber) {
            due.append(claim)
        }
        return due
    }
}

extension LoopDirectory {
    /// Reports the head of a session to the fence; nil if it is not at this node.
    package func inspect(_ name: String) {
        let isKnown = find(name) { [fence] session, _, now in
            fence?.post(.inspected(session: name, session?.head(at: now)))
        }
        if !isKnown { fence?.post(.inspected(session: name, nil)) }
    }

    /// Closes a session that another node holds, if its history has the last line of this head, and
    /// its client has not returned since. If it is not closed, it is reported to the fence.
    package func close(_ name: String, _ head: SessionHead) {
        let isKnown = find(name) { [fence] session, host, now in
            guard let session, session.head(at: now)?.isUnchanged(since: head) == true else {
                fence?.post(.inspected(session: name, session?.head(at: now)))
                return
            }
            host.log(.sessionLost, [.session: name])
            host.discard(session, at: now)
        }
        if !isKnown { fence?.post(.inspected(session: name, nil)) }
    }

    /// Calls `body` on the loop of the session. The session is nil if it has just ended. Returns
    /// false if no session has this name.
    @discardableResult
    private func find(
        _ name: String, _ body: @escaping @Sendable (Session?, SessionHost, Instant) -> Void
    ) -> Bool {
        guard let place = sessions.key(of: name), let host = self[place.loop] else { return false }
        host.post { [self] host, now in
            if let session = host.session(at: place), session.name == name {
                return body(session, host, now)
            }
            // The session has ended or moved since the lookup.
            if sessions.key(of: name) == place || !find(name, body) { body(nil, host, now) }
        }
        return true
    }
}

extension Session {
    func head(at now: Instant) -> SessionHead? {
        SessionHead(history, received: receivedWelcomes(at: now))
    }
}

extension ResumeAttempt {
    fileprivate var withoutSnapshot: ResumeAttempt {
        var attempt = self
        attempt.request.snapshot = nil
        return attempt
    }
}
