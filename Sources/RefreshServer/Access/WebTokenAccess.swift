package import RefreshProtocol

/// Knows clients by JSON Web Tokens. Source: docs/configuration.md, "auth"; RFC 7519; RFC 8725.
///
/// The signature decides with which of the configured algorithms' keys it was made: a token chooses
/// among what the configuration lists, and nothing else. Whether a claim holds is asked only once
/// the signature does. Signatures are checked one task a token, away from the asking thread.
package struct WebTokenAccess: Authenticator {
    private let settings: WebTokenSettings
    private let keys: WebTokenKeys
    private let clock: AccessClock

    package var mode: AuthMode { .jwt }

    /// Whether others than the owner of its file may do anything with a secret that it knows tokens
    /// by.
    var isSecretExposed: Bool { keys.isSecretExposed }

    /// Reads the key file. Throws what is wrong with it.
    init(_ settings: WebTokenSettings, clock: AccessClock) throws(KeyFileProblem) {
        self.settings = settings
        self.clock = clock
        keys = try WebTokenKeys(settings)
    }

    package func decide(
        _ visitor: Visitor, by deadline: Instant,
        _ later: @escaping @Sendable (AdmissionVerdict) -> Void
    ) -> AdmissionVerdict? {
        guard let token = visitor.token else { return .refused(.noToken) }
        Task { later(await verdict(on: token)) }
        return nil
    }

    func verdict(on text: String) async -> AdmissionVerdict {
        do throws(AdmissionRefusal) {
            let token = try WebToken(text)
            guard !token.header.hasCriticalExtension else { throw .criticalExtension }
            let name = token.header.alg
            guard
                let algorithm = settings.algorithms.first(where: { $0.rawValue.hasBytes(of: name) })
            else { throw .algorithm }
            let key = try keys.key(algorithm, kid: token.header.kid)
            guard key.signed(token) else { throw .signature }
            let claims = try WebTokenClaims(token.payload, feedsClaim: settings.feedsClaim)
            return .admitted(
                try claims.identity(
                    settings, now: clock.now(), unixSeconds: clock.unixSeconds()))
        } catch {
            return .refused(error)
        }
    }
}
