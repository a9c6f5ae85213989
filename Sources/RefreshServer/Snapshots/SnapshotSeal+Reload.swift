package import RefreshConfiguration

extension SnapshotSeal: Reloadable {
    /// Reads the key files again, and returns the function that replaces the keys. A snapshot
    /// becomes invalid if the new configuration does not contain the key that sealed it.
    package func prepare(
        _ configuration: Configuration
    ) throws(ConfigurationError) -> @Sendable () -> Void {
        let limits = configuration.limits
        let ring = try KeyRing.prepare(configuration.resume, replacing: currentKeys, log: log)
        return {
            self.replaceLimits(with: limits)
            self.replaceKeys(with: ring())
        }
    }
}
