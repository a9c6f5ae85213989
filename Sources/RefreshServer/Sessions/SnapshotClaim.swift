import RefreshProtocol

/// What somebody says who comes back with a snapshot.
package struct SnapshotClaim: Hashable, Sendable {
    /// The session's name.
    package var session: String
    /// As in the session's last `welcome`.
    package var token: String
    /// Who it is, where the daemon asks for that.
    package var subject: String?

    package init(session: String, token: String, subject: String?) {
        self.session = session
        self.token = token
        self.subject = subject
    }

    /// Of a client that would go on with a session.
    init(of wish: ResumeWish) {
        self.init(
            session: wish.request.session, token: wish.request.token, subject: wish.subject)
    }
}
