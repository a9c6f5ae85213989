package import RefreshConfiguration
package import RefreshProtocol
package import RefreshSession

/// Admits every client and ignores tokens.
package struct OpenAccess: Authenticator {
    package var mode: AuthMode { .none }

    package init() {}

    package func authenticate(
        _ authenticationRequest: AuthenticationRequest, by deadline: Instant,
        _ later: @escaping @Sendable (AdmissionVerdict) -> Void
    ) -> AdmissionVerdict? {
        .admitted(.anonymous)
    }
}
