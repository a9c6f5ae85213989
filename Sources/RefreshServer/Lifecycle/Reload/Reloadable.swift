package import RefreshConfiguration

/// A part of the daemon that applies another configuration while it runs, if posting it to the
/// loops is not enough: it reads files, or is shared by all loops.
package protocol Reloadable: Sendable {
    /// Prepares what the configuration asks for, and changes nothing yet. The returned closure
    /// applies it, and cannot fail.
    ///
    /// - Throws: Every mistake, with its key. In that case no part applies the configuration.
    func prepare(
        _ configuration: Configuration
    ) throws(ConfigurationError) -> @Sendable () -> Void
}
