internal import RefreshProtocol
package import RefreshSession

/// A client that has sent its `hello`: who it is, and whether there is a place for its session.
extension SessionHost {
    package func authenticate(
        _ authenticationRequest: AuthenticationRequest, for asking: SessionKey
    )
        -> AdmissionVerdict?
    {
        let resumes = authenticationRequest.resumes
        guard let authenticationService else {
            return reservePlace(.admitted(.anybody), for: asking, resumes)
        }
        let verdict = authenticationService.authenticate(authenticationRequest) { verdict in
            self.post { $0.handleVerdict(verdict, for: asking, resumes, at: $1) }
        }
        return verdict.map { reservePlace($0, for: asking, resumes) }
    }

    /// Takes a place for an admitted client, if there is one. Before that, it is only a connection.
    /// The old connection of a client that resumes may still exist, possibly dead. Such a client
    /// may take a place beyond `sessionsMax` until it gets that of the old connection.
    private func reservePlace(
        _ verdict: AdmissionVerdict, for asking: SessionKey, _ resumes: String?
    ) -> AdmissionVerdict {
        guard case .admitted = verdict, let session = session(at: asking),
            !session.countsAgainstSessionsMax
        else { return verdict }
        if connectionLimiter?.isShortOfMemory == true { return .unavailable(.short) }
        guard let admissionState else { return verdict }
        let most = services.limits.sessionsMax
        if !admissionState.reservePlace(sessionsMax: most) {
            guard let resumes, directory.sessions.isConnected(resumes),
                admissionState.reservePlace(sessionsMax: most + AdmissionState.surplusMax)
            else { return .unavailable(.full) }
            session.isBeyondSessionsMax = true
        }
        session.countsAgainstSessionsMax = true
        stopCountingAsUnadmitted(session)
        return verdict
    }

    /// The session that asked may have ended by now, or may no longer wait.
    private func handleVerdict(
        _ verdict: AdmissionVerdict, for asking: SessionKey, _ resumes: String?, at now: Instant
    ) {
        guard let session = session(at: asking), session.isGreeting else { return }
        session.handle(.identified(reservePlace(verdict, for: asking, resumes)), at: now)
        if case .admitted(let identity) = verdict, identity.expiresUnixSeconds != nil {
            checkTokenExpiry(of: session, at: now)
        }
        arm(session)
    }
}
