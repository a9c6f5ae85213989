/// The configured limits and feeds of workers that connect to the daemon. Source: docs/backends.md,
/// "worker".
package struct WorkerOptions: Hashable, Sendable {
    /// The maximum size of one message from a worker in bytes.
    package var lineBytesMax = 1_048_576
    /// The feeds of kind `worker`, which workers may register.
    package var feeds: Set<String>

    /// The range of `lineBytesMax`. The configuration limits it further, by
    /// `limits.backendResponseBytesMax`.
    package static let lineBytesRange = 1024...1_073_741_824

    package init(feeds: Set<String>) {
        self.feeds = feeds
    }

    /// Throws an error with the configuration key of an invalid value.
    package func check() throws(BackendConfigurationError) {
        guard Self.lineBytesRange.contains(lineBytesMax) else {
            let range = Self.lineBytesRange
            throw BackendConfigurationError(
                "lineBytesMax", "It must be \(range.lowerBound) to \(range.upperBound).")
        }
        guard !feeds.isEmpty else {
            throw BackendConfigurationError("feeds", "No feed has the kind worker.")
        }
    }
}
