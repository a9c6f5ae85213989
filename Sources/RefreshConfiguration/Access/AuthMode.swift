/// How the daemon authenticates clients. Source: docs/configuration.md, "auth".
package enum AuthMode: String, CaseIterable, Sendable {
    /// Clients are not authenticated.
    case none
    /// By a token of the configuration.
    case token
    /// By a JSON Web Token.
    case jwt
    /// By a request to a service.
    case http
}
