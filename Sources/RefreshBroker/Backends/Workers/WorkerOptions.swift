/// What workers that connect in may say and serve, as configured. Source: docs/backends.md,
/// "worker".
package struct WorkerOptions: Hashable, Sendable {
    /// Bytes of one message of a worker.
    package var lineBytesMax = 1_048_576
    /// The feeds of kind `worker`: those that a worker may register.
    package var feeds: Set<String>

    /// The configuration bounds it further, by `limits.backendResponseBytesMax`.
    package static let lineBytesRange = 1024...1_073_741_824

    package init(feeds: Set<String>) {
        self.feeds = feeds
    }

    /// Throws what is wrong, by the name of its configuration key.
    package func check() throws(BackendConfigurationError) {
        guard Self.lineBytesRange.contains(lineBytesMax) else {
            let range = Self.lineBytesRange
            throw BackendConfigurationError(
                "lineBytesMax", "It must be \(range.lowerBound) to \(range.upperBound).")
        }
        guard !feeds.isEmpty else {
            throw BackendConfigurationError("feeds", "No feed is of the kind worker.")
        }
    }
}
