internal import RefreshCluster
internal import RefreshProtocol
internal import RefreshSession

/// The part of a loop in keeping each session at one node of a cluster. Source: docs/cluster.md,
/// "One holder of a session".
extension SessionHost {
    /// Claims the session of a snapshot before it is rebuilt in place of `session`. The rebuilding
    /// continues when the claim is answered. Returns false if no claim is needed.
    func claim(
        _ snapshot: SessionSnapshot, for attempt: ResumeAttempt, after refusal: ResumeRefusal,
        as session: Session
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
        fence.claim(name, head) { [claimed] verdict in
            self.post { host, now in
                switch verdict {
                case .fenced, .unfenced: host.handleRefusal(refusal, to: claimed, at: now)
                case .superseded: host.handleRefusal(.wrongToken, to: claimed, at: now)
                case .revoked:
                    host.handleRefusal(.unknownSession, to: claimed.withoutSnapshot, at: now)
                }
                // The claim stood for the session. If an older line of it is here, it is checked.
                if verdict == .superseded || verdict == .revoked { host.directory.inspect(name) }
            }
        }
        return true
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

extension LoopDirectory {
    /// Reports the head of a session to the fence; nil if it is not at this node.
    package func inspect(_ name: String) {
        let isKnown = find(name) { [fence] session, _, now in
            fence?.post(.inspected(session: name, session?.head(at: now)))
        }
        if !isKnown { fence?.post(.inspected(session: name, nil)) }
    }

    /// Closes a session that another node holds, if the last line of its history is `line`. If
    /// another line of the session is here, it is reported to the fence, and checked.
    package func close(_ name: String, line: String) {
        find(name) { [fence] session, host, now in
            guard let session else { return }
            guard session.history.steps.last?.line == line else {
                fence?.post(.inspected(session: name, session.head(at: now)))
                return
            }
            host.log(.sessionLost, [.session: name])
            host.discard(session, at: now)
        }
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
    fileprivate func head(at now: Instant) -> SessionHead? {
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
