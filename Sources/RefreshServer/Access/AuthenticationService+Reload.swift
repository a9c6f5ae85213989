package import RefreshConfiguration
internal import RefreshProtocol

extension AuthenticationService: Reloadable {
    /// Reads the key files again and prepares the HTTP client for the external authentication
    /// service.
    package func prepare(
        _ configuration: Configuration
    ) throws(ConfigurationError) -> @Sendable () -> Void {
        try prepare(
            configuration.auth, tokens: AccessTokens(configuration.tokens),
            deadlineMs: configuration.limits.authDeadlineMs)
    }
}
