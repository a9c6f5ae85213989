/// A feed as the metrics label its loads.
package struct MeasuredFeed: Hashable, Sendable {
    /// The feed's name in the configuration.
    package var name: String
    /// The kind of its backend, or `client` where the client loads.
    package var kind: String
    /// The key of `backends`, or the feed's own name; empty where there is none.
    package var backend: String

    /// `backend`: nil where the feed has its backend for itself.
    package init(name: String, kind: String, backend: String? = nil) {
        self.name = name
        self.kind = kind
        self.backend = backend ?? name
    }

    /// Views without a feed: the client loads.
    static let client = MeasuredFeed(name: "", kind: "client")
    /// Feeds that were not announced when the metrics were made.
    static let other = MeasuredFeed(name: "other", kind: "other")
}
