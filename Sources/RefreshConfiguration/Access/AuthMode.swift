/// How the daemon authenticates clients. Source: docs/configuration.md, "auth".
package enum AuthMode: String, CaseIterable, Sendable {
    /// Not at all.
    case none
    /// By a token of the configuration.
    case token
    /// By a JSON Web Token.
    case jwt
    /// By a request to a service.
    case http
}
