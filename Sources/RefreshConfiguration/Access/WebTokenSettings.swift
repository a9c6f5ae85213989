/// The rules by which JSON Web Tokens are accepted. Source: docs/configuration.md, "auth".
package struct WebTokenSettings: Hashable, Sendable {
    /// The signature algorithm. Source: RFC 7518, 3.1.
    package enum Algorithm: String, CaseIterable, Sendable { case HS256, RS256, ES256 }

    /// The file of the keys.
    package enum KeyFile: Hashable, Sendable {
        /// A JSON Web Key Set, RFC 7517.
        case jwks(path: String)
        /// The secret of HS256.
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
    /// The required issuer; nil allows any issuer that has the key.
    package var issuer: String?
    /// The tolerated difference between clocks in milliseconds, 0...300,000.
    package var skewMs: Int
    /// The claim that names the permitted feeds.
    package var feedsClaim: String

    package static let skewMsRange = 0...300_000
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
