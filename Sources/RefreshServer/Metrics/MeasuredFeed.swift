/// A feed as the metrics label its loads.
package struct MeasuredFeed: Hashable, Sendable {
    /// The feed's name in the configuration.
    package var name: String
    /// The kind of its backend: `demo`, `file`, `http`, or `client` where the client loads.
    package var backend: String

    package init(name: String, backend: String) {
        self.name = name
        self.backend = backend
    }

    /// Views without a feed: the client loads.
    static let client = MeasuredFeed(name: "", backend: "client")
    /// Feeds that were not announced when the metrics were made.
    static let other = MeasuredFeed(name: "other", backend: "other")
}
