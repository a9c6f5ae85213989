internal import RefreshBroker
internal import RefreshCluster
package import RefreshProtocol
package import RefreshSession

/// Sessions that outlive their connections. Source: docs/protocol.md, "Coming back".
///
///     resume ─▶ findSession ─▶ handOff (session's loop) ─▶ completeHandoff (client's loop)
///                                    └─▶ handleRefusal: a fresh session, or one from a snapshot
///
/// Each arrow is a job on a loop. Other jobs may run in between.
extension SessionHost: SessionLocator {
    package func registerSession(_ session: String, at key: SessionKey) {
        guard services.limits.resumeWindowMs > 0 else { return }
        directory.sessions.register(session, at: key)
    }

    package func recordReceivedWelcome(of session: String) {
        directory.fence?.post(.confirmed(session: session))
    }

    package func resume(_ attempt: ResumeAttempt) { post { $0.findSession(for: attempt, at: $1) } }

    /// Detaches the session from its lost connection. The session then waits for its client.
    func detach(_ session: Session, at now: Instant) {
        session.handle(.lost, at: now)
        awaitClient(of: session)
        log(.sessionDetached, [.session: session.name, .loop: String(index)])
    }

    private func awaitClient(of session: Session) {
        metrics.recordSessionDetached()
        arm(session)
        session.lastHeldBytes = session.heldBytes
        let limits = services.limits
        evict(
            directory.sessions.registerDetached(
                at: session.key, of: session.holder, holding: session.lastHeldBytes, within: limits)
        )
    }

    /// Updates the bytes that a detached session uses.
    @inline(__always)
    func updateWeight(of session: Session) {
        guard session.resumeDeadline != nil else { return }
        let bytes = session.heldBytes
        guard bytes != session.lastHeldBytes else { return }
        session.lastHeldBytes = bytes
        evict(
            directory.sessions.updateBytes(
                at: session.key, holding: bytes, within: services.limits))
    }

    /// Ends sessions that exceed the limits.
    private func evict(_ leaving: [SessionKey]) {
        metrics.recordDetachedEvictions(leaving.count)
        for key in leaving { directory.expire(key) }
    }

    /// Ends a detached session that was evicted, or that its client did not resume in time.
    func expire(_ session: Session, at now: Instant) {
        metrics.recordSessionReclaimed()
        log(.sessionExpired, [.session: session.name, .loop: String(index)])
        terminate(session, at: now)
    }

    /// Finds the place of the session.
    private func findSession(for attempt: ResumeAttempt, at now: Instant) {
        guard let place = directory.sessions.key(of: attempt.request.session),
            let host = directory[place.loop]
        else { return sendRefusal(.unknownSession, to: attempt) }
        host.post { $0.handOff(place, to: attempt, at: $1) }
    }

    /// Sends the session to the loop of its client, if the client may resume the session.
    private func handOff(_ place: SessionKey, to attempt: ResumeAttempt, at now: Instant) {
        guard let session = session(at: place), session.name == attempt.request.session else {
            // The session has ended or moved since the lookup.
            let next = directory.sessions.key(of: attempt.request.session)
            return next == place
                ? sendRefusal(.unknownSession, to: attempt) : findSession(for: attempt, at: now)
        }
        if let refusal = session.refusal(of: attempt, at: now) {
            // If items were lost, the session cannot be resumed later either.
            if refusal == .resultsLost { discard(session, at: now) }
            if refusal == .wrongToken, isSuperseded(session, by: attempt, at: now) {
                discard(session, at: now)
                return sendRefusal(.unknownSession, to: attempt)
            }
            // The session has ended. The name of the session is freed now, so that a client with a
            // snapshot does not have to wait until the connection is closed.
            if session.hasEnded {
                directory.sessions.remove(session.name, initialKey: session.initialKey, at: place)
            }
            return sendRefusal(refusal, to: attempt)
        }
        guard let host = directory[attempt.requester.loop] else { return }
        let initialKey = session.initialKey
        let handoff = removeForHandoff(session, at: now)
        directory.sessions.move(
            attempt.request.session, initialKey: initialKey, from: place, to: attempt.requester
        ) {
            host.post { $0.completeHandoff(handoff, for: attempt.requester, at: $1) }
        }
    }

    /// Returns whether the client has a newer state of the session in a snapshot, and knows the
    /// token of this snapshot. There are two possible causes. Either the client has left this
    /// daemon and resumed the session on another daemon. Or this session was rebuilt from an older
    /// snapshot, by the client itself or by someone who has stolen the snapshot and its token.
    private func isSuperseded(
        _ session: Session, by attempt: ResumeAttempt, at now: Instant
    ) -> Bool {
        guard let text = attempt.request.snapshot,
            let snapshot = try? services.seal?.open(text, for: SnapshotClaim(of: attempt), at: now),
            let history = snapshot.history
        else { return false }
        return session.isSuperseded(by: history, at: now)
    }

    /// Removes the session from the host, and closes its connection if it has one.
    private func removeForHandoff(_ session: Session, at now: Instant) -> SessionHandoff {
        if session.resumeDeadline != nil { metrics.recordSessionReclaimed() }
        releasePlace(of: session)
        remove(session)
        var handoff = session.handOff(at: now)
        handoff.knownFeedChange = notifiedChanges.lastCompleted
        return handoff
    }

    func discard(_ session: Session, at now: Instant) {
        releaseFence(of: session, at: now)
        let (name, initialKey, key) = (session.name, session.initialKey, session.key)
        let observer = session.observer
        let handoff = removeForHandoff(session, at: now)
        Session(handoff, key: key, services: services).handle(.closed, at: now)
        observer?.reportClosed()
        directory.sessions.remove(name, initialKey: initialKey, at: key)
    }

    /// Delivers the session to its client. If the client has disconnected in the meantime, the
    /// session waits for the client on this loop.
    private func completeHandoff(
        _ handoff: SessionHandoff, for requester: SessionKey, at now: Instant
    ) {
        if let session = session(at: requester), session.isGreeting {
            let observer = observer(for: handoff)
            session.observer?.reportClosed()
            session.isBeyondSessionsMax = false
            session.acceptHandoff(handoff, observer: observer, at: now)
            notifyOfMissedChanges(session, after: handoff.knownFeedChange, at: now)
            arm(session)
            if let fence = directory.fence, let head = session.head(at: now) {
                fence.post(.resumed(session: session.name, head, at: now))
            }
            return log(.sessionResumed, [.session: session.name, .loop: String(index)])
        }
        let session = sessions.insert { slot, generation in
            Session(
                handoff, key: SessionKey(loop: index, slot: slot, generation: generation),
                services: services)
        }
        session.observer = observer(for: handoff)
        directory.sessions.move(
            session.name, initialKey: session.initialKey, from: requester, to: session.key)
        notifyOfMissedChanges(session, after: handoff.knownFeedChange, at: now)
        awaitClient(of: session)
    }

    /// Notifies the session of the changes that it may have missed while it moved. A change may be
    /// delivered twice.
    private func notifyOfMissedChanges(_ session: Session, after number: UInt64, at now: Instant) {
        for feed in directory.changes(after: number) {
            // How many items the missed changes have added is not known.
            notify(
                session, of: FeedChange(feed), directory.spread(ofChange: number, of: feed),
                at: now)
            session.finishChange(at: now)
        }
    }

    /// Sends the refusal to the loop of the client that asked to resume.
    private func sendRefusal(_ refusal: ResumeRefusal, to attempt: ResumeAttempt) {
        directory[attempt.requester.loop]?.post { $0.handleRefusal(refusal, to: attempt, at: $1) }
    }

    /// Handles the refusal to resume. If possible, rebuilds the session from the client's snapshot.
    func handleRefusal(_ refusal: ResumeRefusal, to attempt: ResumeAttempt, at now: Instant) {
        guard let session = session(at: attempt.requester), session.isGreeting else { return }
        defer { arm(session) }
        if session.isBeyondSessionsMax, let admissionState {
            guard admissionState.places <= services.limits.sessionsMax else {
                session.handle(.end(.tooManySessions), at: now)
                return
            }
            session.isBeyondSessionsMax = false
        }
        let reason: ResumeRefusal
        do throws(ResumeRefusal) {
            guard try rebuild(session, attempt, after: refusal, at: now) else { return }
            directory.fence?.post(.rebuilt(session: session.name))
            return log(.sessionRebuilt, [.session: session.name, .loop: String(index)])
        } catch {
            reason = error
        }
        if services.limits.sessionsPerSubjectMax > 0,
            connectionLimiter?.isWithinLimit(session.key) == false
        {
            stopCountingAgainstSubject(session)
            session.handle(.end(.tooManySessions), at: now)
            return
        }
        session.handle(.refused(reason), at: now)
        log(.resumeRefused, [.session: session.name, .reason: reason.rawValue])
    }

    /// Rebuilds the session from the client's snapshot.
    ///
    /// - Returns: False if a second search for the session, or a claim in a cluster, has begun.
    /// - Throws: The reason why the session cannot be resumed in any way.
    private func rebuild(
        _ session: Session, _ attempt: ResumeAttempt, after refusal: ResumeRefusal, at now: Instant
    ) throws(ResumeRefusal) -> Bool {
        guard refusal == .unknownSession || refusal == .resultsLost, let seal = services.seal,
            let text = attempt.request.snapshot
        else { throw refusal }
        let snapshot = try seal.open(text, for: SnapshotClaim(of: attempt), at: now)
        if claim(snapshot, for: attempt, after: refusal, as: session, at: now) { return false }
        // Two connections of one client can present the same snapshot: a lost connection and this
        // one. In that case the session has already been rebuilt for the lost connection, and its
        // name is taken. A second search for the session therefore checks the token that the client
        // presents. If the second search fails too, the rebuilt session stays where it is. A third
        // search could not succeed either.
        guard directory.sessions.register(snapshot.session.name, at: session.key) else {
            guard !attempt.isSecondSearch else { throw .unknownSession }
            var again = attempt
            again.isSecondSearch = true
            findSession(for: again, at: now)
            return false
        }
        let observer = session.observer
        session.observer = self.observer(for: snapshot.session.name)
        do throws(ResumeRefusal) { try session.rebuild(from: snapshot, at: now) } catch {
            session.observer = observer
            directory.sessions.remove(
                snapshot.session.name, initialKey: session.initialKey, at: session.key)
            throw error
        }
        observer?.reportClosed()
        // The node that has sealed the snapshot may have missed changes that are known here, and
        // its last changes may not have reached the session. So each of these feeds counts as
        // changed.
        if directory.isClustered { notifyOfMissedChanges(session, after: 0, at: now) }
        return true
    }
}
