package import RefreshProtocol
package import RefreshSession

/// The admission of a client after its `hello`: its identity, and a place for its session.
extension SessionHost {
    package func authenticate(
        _ authenticationRequest: AuthenticationRequest, for requester: SessionKey
    )
        -> AdmissionVerdict?
    {
        let resumes = authenticationRequest.resumes
        guard let authenticationService else {
            return reservePlace(.admitted(.anonymous), for: requester, resumes)
        }
        let verdict = authenticationService.authenticate(authenticationRequest) { verdict in
            self.post { $0.handleVerdict(verdict, for: requester, resumes, at: $1) }
        }
        return verdict.map { reservePlace($0, for: requester, resumes) }
    }

    /// Reserves a place for an admitted client, if one is free. When a client resumes, the daemon
    /// may not have noticed yet that the client's old connection has ended. A resuming client can
    /// therefore take a place beyond `sessionsMax` until it gets the place of the old connection.
    private func reservePlace(
        _ verdict: AdmissionVerdict, for requester: SessionKey, _ resumes: String?
    ) -> AdmissionVerdict {
        guard case .admitted(let identity) = verdict, let session = session(at: requester),
            !session.countsAgainstSessionsMax
        else { return verdict }
        if connectionLimiter?.isShortOfMemory == true { return .unavailable(.short) }
        guard countAgainstSubject(session, identity.subject, resumes) else {
            return .unavailable(.full)
        }
        guard let admissionState else { return verdict }
        let most = services.limits.sessionsMax
        if !admissionState.reservePlace(sessionsMax: most) {
            guard let resumes, directory.sessions.isConnected(resumes),
                admissionState.reservePlace(sessionsMax: most + AdmissionState.surplusMax)
            else {
                stopCountingAgainstSubject(session)
                return .unavailable(.full)
            }
            session.isBeyondSessionsMax = true
        }
        session.countsAgainstSessionsMax = true
        stopCountingAsUnadmitted(session)
        return verdict
    }

    /// Counts the session against `sessionsPerSubjectMax`, if this limit is set. Returns false if
    /// the subject has too many sessions.
    private func countAgainstSubject(
        _ session: Session, _ subject: String?, _ resumes: String?
    ) -> Bool {
        guard services.limits.sessionsPerSubjectMax > 0, let subject, let connectionLimiter else {
            return true
        }
        return connectionLimiter.addSession(
            session.key, of: subject, resumes: resumes != nil,
            replaces: resumes.map { directory.sessions.isConnected($0) } ?? false)
    }

    /// Stops counting the session against `sessionsPerSubjectMax`.
    func stopCountingAgainstSubject(_ session: Session) {
        guard services.limits.sessionsPerSubjectMax > 0 else { return }
        connectionLimiter?.removeSession(session.key)
    }

    /// Handles the result of an authentication that was not known at once. The session may have
    /// ended after the authentication began, or may have stopped waiting for the result.
    private func handleVerdict(
        _ verdict: AdmissionVerdict, for requester: SessionKey, _ resumes: String?, at now: Instant
    ) {
        guard let session = session(at: requester), session.isGreeting else { return }
        session.handle(.identified(reservePlace(verdict, for: requester, resumes)), at: now)
        if case .admitted(let identity) = verdict, identity.expiresUnixSeconds != nil {
            checkTokenExpiry(of: session, at: now)
        }
        arm(session)
    }
}
