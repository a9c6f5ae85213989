/// A feed as the metrics label its loads.
package struct MeasuredFeed: Hashable, Sendable {
    /// The feed's name in the configuration.
    package var name: String
    /// The kind of its backend, or `client` where the client loads.
    package var kind: String

    package init(name: String, kind: String) {
        self.name = name
        self.kind = kind
    }

    /// Views without a feed: the client loads.
    static let client = MeasuredFeed(name: "", kind: "client")
    /// Feeds that were not announced when the metrics were made.
    static let other = MeasuredFeed(name: "other", kind: "other")
}
