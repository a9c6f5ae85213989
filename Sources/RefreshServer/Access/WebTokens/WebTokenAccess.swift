package import RefreshConfiguration
package import RefreshProtocol
package import RefreshSession

/// Authenticates clients by JSON Web Tokens. Source: docs/configuration.md, "auth"; RFC 7519; RFC
/// 8725.
///
/// A token can only select one of the configured algorithms and keys. The claims are checked only
/// after the signature was found valid. Each token is verified in a task, and not on the calling
/// thread.
package struct WebTokenAccess: Authenticator {
    private let settings: WebTokenSettings
    private let keys: WebTokenKeys
    private let clock: AccessClock

    package var mode: AuthMode { .jwt }

    /// Whether the file of a secret is accessible to users other than its owner.
    var isSecretExposed: Bool { keys.isSecretExposed }

    /// Reads the key file. Throws if it cannot be used.
    init(_ settings: WebTokenSettings, clock: AccessClock) throws(KeyFileProblem) {
        self.settings = settings
        self.clock = clock
        keys = try WebTokenKeys(settings)
    }

    package func authenticate(
        _ authenticationRequest: AuthenticationRequest, by deadline: Instant,
        _ later: @escaping @Sendable (AdmissionVerdict) -> Void
    ) -> AdmissionVerdict? {
        guard let token = authenticationRequest.token else { return .refused(.noToken) }
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
            guard key.verifiesSignature(of: token) else { throw .signature }
            let claims = try WebTokenClaims(token.payload, feedsClaim: settings.feedsClaim)
            return .admitted(
                try claims.identity(
                    settings, now: clock.now(), unixSeconds: clock.unixSeconds()))
        } catch {
            return .refused(error)
        }
    }
}
