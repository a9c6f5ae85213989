import RefreshProtocol

/// The claims of a client that resumes from a snapshot.
package struct SnapshotClaim: Hashable, Sendable {
    /// The session's name.
    package var session: String
    /// The token of the session's last `welcome`.
    package var token: String
    /// The authenticated subject, if the daemon authenticates clients.
    package var subject: String?

    package init(session: String, token: String, subject: String?) {
        self.session = session
        self.token = token
        self.subject = subject
    }

    /// Creates the claims from a client's attempt to resume a session.
    package init(of attempt: ResumeAttempt) {
        self.init(
            session: attempt.request.session, token: attempt.request.token, subject: attempt.subject
        )
    }
}
