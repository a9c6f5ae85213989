extension SnapshotSeal: Reloadable {
    /// Reads the files of the keys again. What keys that are not configured any more have sealed is
    /// void.
    package func prepare(
        _ configuration: Configuration
    ) throws(ConfigurationError) -> @Sendable () -> Void {
        let limits = configuration.limits
        let ring = try KeyRing.prepare(configuration.resume, instead: present, log: log)
        return {
            self.take(limits)
            self.take(ring())
        }
    }
}
