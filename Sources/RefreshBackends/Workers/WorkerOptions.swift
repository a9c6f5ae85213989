/// The feeds of the workers that connect to the daemon, and the size limit of a worker's message.
/// Source: docs/backends.md, "worker".
package struct WorkerOptions: Hashable, Sendable {
    /// The maximum size of one message from a worker in bytes.
    package var lineBytesMax = 1_048_576
    /// The feeds of kind `worker`, which workers may register.
    package var feeds: Set<String>
    /// The feeds that workers on the message bus of a cluster serve too.
    package var busFeeds: Set<String> = []

    /// The range of `lineBytesMax`. The configuration key `limits.backendResponseBytesMax` limits
    /// `lineBytesMax` further.
    package static let lineBytesRange = 1024...1_073_741_824

    package init(feeds: Set<String>) {
        self.feeds = feeds
    }

    /// Checks the options. For an invalid value, throws an error with its configuration key.
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
