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
}
