package import RefreshProtocol

/// What is known of somebody who has said `hello`, for finding out who it is. Source:
/// docs/configuration.md, "auth".
package struct Visitor: Sendable {
    /// The `token` of its `hello`; nil: it gave none. Never shown to anybody but an authenticator.
    package var token: String?
    /// The `client` of its `hello`.
    package var client: String?
    /// The name of its session, for logs.
    package var session: String
    /// The session that it comes back to, if it does.
    package var resumes: String?
    /// How it came; all of it is nil or empty unless `VisitorDetails` asks for it.
    package var arrival: Arrival

    /// What the upgrade said, where the authenticator wants to know.
    package struct Arrival: Hashable, Sendable {
        /// Numeric, without the port.
        package var peer: String?
        package var origin: String?
        /// Those that the configuration forwards, names in lower case.
        package var headers: [HeaderField]

        package init(peer: String? = nil, origin: String? = nil, headers: [HeaderField] = []) {
            self.peer = peer
            self.origin = origin
            self.headers = headers
        }
    }

    package init(
        token: String?, client: String? = nil, session: String = "", resumes: String? = nil,
        arrival: Arrival = Arrival()
    ) {
        self.token = token
        self.client = client
        self.session = session
        self.resumes = resumes
        self.arrival = arrival
    }
}
