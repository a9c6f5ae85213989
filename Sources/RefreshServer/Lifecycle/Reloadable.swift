/// A part of the daemon that takes up another configuration while it runs, where posting it to the
/// loops is not enough: it reads files, or is shared by all loops.
package protocol Reloadable: Sendable {
    /// Makes ready what the configuration asks for, and changes nothing yet. What it returns takes
    /// it up; that cannot fail.
    ///
    /// - Throws: every mistake, by its key; then nobody takes up anything.
    func prepare(
        _ configuration: Configuration
    ) throws(ConfigurationError) -> @Sendable () -> Void
}
