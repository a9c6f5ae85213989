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

/// How the daemon authenticates clients. Source: docs/configuration.md, "auth".
package enum AuthMode: String, CaseIterable, Sendable {
    /// Clients are not authenticated.
    case none
    /// Clients are authenticated by a token of the configuration.
    case token
    /// Clients are authenticated by a JSON Web Token.
    case jwt
    /// Clients are authenticated by a request to an external HTTP service.
    case http
}

/// The service that authenticates clients, and how to call it. Source: docs/configuration.md,
/// "auth".
package struct AuthHookSettings: Hashable, Sendable {
    /// The URL of the service, with the scheme `http` or `https`.
    package var url: String
    /// The path of a PEM file with the trusted certificates; nil means the certificates that the
    /// system trusts.
    package var ca: String?
    /// The time limit for name resolution, connection, request and answer together, in
    /// milliseconds, from 1 to `limits.authDeadlineMs`.
    package var deadlineMs: Int
    /// The maximum number of concurrent requests, 1...10,000.
    package var calls: Int
    /// The lower-case names of the headers that are forwarded from the upgrade request.
    package var forward: [String]

    package static let standardDeadlineMs = 1000
    package static let standardCalls = 64
    /// The maximum size of an answer, in bytes.
    package static let answerBytesMax = 65_536

    package init(
        url: String, ca: String? = nil, deadlineMs: Int = standardDeadlineMs,
        calls: Int = standardCalls, forward: [String] = []
    ) {
        self.url = url
        self.ca = ca
        self.deadlineMs = deadlineMs
        self.calls = calls
        self.forward = forward
    }
}

/// The rules by which JSON Web Tokens are accepted. Source: docs/configuration.md, "auth".
package struct WebTokenSettings: Hashable, Sendable {
    /// The signature algorithm. Source: RFC 7518, 3.1.
    package enum Algorithm: String, CaseIterable, Sendable { case HS256, RS256, ES256 }

    /// The file that contains the keys.
    package enum KeyFile: Hashable, Sendable {
        /// A JSON Web Key Set, RFC 7517.
        case jwks(path: String)
        /// A file that contains only the secret of HS256.
        case secret(path: String)

        package var path: String {
            switch self {
            case .jwks(let path), .secret(let path): path
            }
        }
    }

    /// The accepted algorithms in the order of the configuration: at least one, without duplicates.
    package var algorithms: [Algorithm]
    package var keys: KeyFile
    package var audience: String
    /// The required issuer; nil accepts tokens of any issuer.
    package var issuer: String?
    /// The tolerated difference between clocks in milliseconds, 0...300,000.
    package var skewMs: Int
    /// The claim that names the permitted feeds.
    package var feedsClaim: String

    package static let standardSkewMs = 30_000
    package static let standardFeedsClaim = "feeds"

    package init(
        algorithms: [Algorithm], keys: KeyFile, audience: String, issuer: String? = nil,
        skewMs: Int = standardSkewMs, feedsClaim: String = standardFeedsClaim
    ) {
        self.algorithms = algorithms
        self.keys = keys
        self.audience = audience
        self.issuer = issuer
        self.skewMs = skewMs
        self.feedsClaim = feedsClaim
    }
}

extension WebTokenSettings.KeyFile {
    /// The configuration key that names the file.
    package var key: String {
        switch self {
        case .jwks: "auth.jwks"
        case .secret: "auth.secretFile"
        }
    }
}
