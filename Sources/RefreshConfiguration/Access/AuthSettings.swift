/// The configuration's settings for authentication. They contain paths of key files, never keys.
/// Source: docs/configuration.md, "auth".
package enum AuthSettings: Hashable, Sendable {
    case none
    case token
    case jwt(WebTokenSettings)
    case http(AuthHookSettings)

    package var mode: AuthMode {
        switch self {
        case .none: .none
        case .token: .token
        case .jwt: .jwt
        case .http: .http
        }
    }
}
