package import RefreshConfiguration
package import RefreshProtocol
package import RefreshSession

/// Authenticates clients by the configuration's tokens that permit `connect`.
package struct TokenAccess: Authenticator {
    private let tokens: AccessTokens

    package var mode: AuthMode { .token }

    package init(_ tokens: AccessTokens) { self.tokens = tokens }

    package func authenticate(
        _ authenticationRequest: AuthenticationRequest, by deadline: Instant,
        _ later: @escaping @Sendable (AdmissionVerdict) -> Void
    ) -> AdmissionVerdict? {
        guard let token = authenticationRequest.token else { return .refused(.noToken) }
        switch tokens.verdict(token, for: .connect) {
        case .allowed(let name):
            return .admitted(Identity(subject: name, feeds: tokens.feeds(ofTokenNamed: name)))
        case .forbidden: return .refused(.mayNotConnect)
        case .unknown: return .refused(.unknownToken)
        }
    }
}
