/// How the daemon finds out who a client is. Source: docs/configuration.md, "auth".
package enum AuthMode: String, CaseIterable, Sendable {
    /// It does not.
    case none
    /// By a token of the configuration.
    case token
    /// By a JSON Web Token.
    case jwt
    /// By asking a service.
    case http
}
