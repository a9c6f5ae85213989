extension SnapshotSeal: Reloadable {
    /// Reads the files of the keys again. A key that nobody keeps stays, or what it sealed could not be opened
    /// any more.
    package func prepare(
        _ configuration: Configuration
    ) throws(ConfigurationError) -> @Sendable () -> Void {
        let settings = configuration.resume
        let limits = configuration.limits
        guard !settings.keys.isEmpty || settings.stateFolder != nil else {
            return { self.take(limits) }
        }
        let ring = try KeyRing(settings, log: .silent)
        return {
            self.take(limits)
            self.take(ring)
        }
    }
}
