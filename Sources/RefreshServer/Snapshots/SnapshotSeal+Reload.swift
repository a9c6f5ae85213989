package import RefreshConfiguration

extension SnapshotSeal: Reloadable {
    /// Reads the key files again. Snapshots whose keys are not in the new configuration become
    /// invalid.
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
