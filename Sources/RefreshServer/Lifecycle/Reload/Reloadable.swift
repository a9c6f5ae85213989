package import RefreshConfiguration

/// A part of the daemon that applies a new configuration at run time. This protocol is for parts
/// that read files, and for parts that all loops share. The loops apply the rest of the
/// configuration.
package protocol Reloadable: Sendable {
    /// Prepares the new configuration, and changes nothing yet. The returned closure applies it,
    /// and cannot fail.
    ///
    /// - Throws: All mistakes that this part finds, with their keys. In that case no part applies
    ///   the configuration.
    func prepare(
        _ configuration: Configuration
    ) throws(ConfigurationError) -> @Sendable () -> Void
}
