package import RefreshConfiguration
package import SealedSnapshots

/// Replaces the keys and limits of a `SnapshotSeal` when the configuration is reloaded.
package struct SnapshotKeyReload: Reloadable {
    private let seal: SnapshotSeal
    private let log: DaemonLog

    package init(_ seal: SnapshotSeal, log: DaemonLog) {
        self.seal = seal
        self.log = log
    }

    /// Reads the key files again, and returns the function that replaces the keys. A snapshot
    /// becomes invalid if the new configuration does not contain the key that sealed it.
    package func prepare(
        _ configuration: Configuration
    ) throws(ConfigurationError) -> @Sendable () -> Void {
        let limits = configuration.limits
        let ring = try KeyRing.prepare(configuration.resume, replacing: seal.currentKeys, log: log)
        return { [seal] in
            seal.replaceLimits(with: limits)
            seal.replaceKeys(with: ring())
        }
    }
}
