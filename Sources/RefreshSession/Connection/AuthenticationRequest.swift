package import RefreshProtocol

/// The data by which a client is authenticated after its `hello`. Source: docs/configuration.md,
/// "auth".
package struct AuthenticationRequest: Sendable {
    /// The `token` of the client's `hello`; nil if the `hello` has none. Only the authenticator may
    /// read it.
    package var token: String?
    /// The `client` of the client's `hello`.
    package var client: String?
    /// The name of the client's session, for logs.
    package var session: String
    /// The name of the session that the client asks to resume, if any.
    package var resumes: String?
    /// The details of the client's WebSocket upgrade. All members are nil or empty, except those
    /// that the authenticator has requested (`AuthenticationDetails`).
    package var arrival: Arrival

    /// Those details of the WebSocket upgrade that the authenticator needs.
    package struct Arrival: Hashable, Sendable {
        /// The peer's numeric address, without the port.
        package var peer: String?
        package var origin: String?
        /// The headers that the configuration forwards. Their names are in lower case.
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
