internal import RefreshProtocol

extension Entrance: Reloadable {
    /// Reads the files of keys again, and starts what asking a service takes.
    package func prepare(
        _ configuration: Configuration
    ) throws(ConfigurationError) -> @Sendable () -> Void {
        try prepare(
            configuration.auth, tokens: AccessTokens(configuration.tokens),
            deadlineMs: configuration.limits.authDeadlineMs)
    }
}
