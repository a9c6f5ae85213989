package import RefreshProtocol

/// What is known of a client after `hello`, for its authentication. Source: docs/configuration.md,
/// "auth".
package struct AuthenticationRequest: Sendable {
    /// The `token` of its `hello`; nil: none. Only the authenticator may see it.
    package var token: String?
    /// The `client` of its `hello`.
    package var client: String?
    /// The name of its session, for logs.
    package var session: String
    /// The session that it resumes, if any.
    package var resumes: String?
    /// Its upgrade. All members are nil or empty unless `AuthenticationDetails` asks for them.
    package var arrival: Arrival

    /// The details of the upgrade, where the authenticator needs them.
    package struct Arrival: Hashable, Sendable {
        /// Numeric, without the port.
        package var peer: String?
        package var origin: String?
        /// The headers that the configuration forwards, names in lower case.
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
