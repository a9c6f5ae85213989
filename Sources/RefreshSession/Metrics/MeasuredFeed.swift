/// A feed, as the metrics label its loads.
package struct MeasuredFeed: Hashable, Sendable {
    /// The feed's name in the configuration.
    package var name: String
    /// The kind of its backend, or `client` if the client loads.
    package var kind: String
    /// The key of `backends`, or the feed's own name; empty if there is no backend.
    package var backend: String

    /// `backend`: nil if the feed does not share its backend.
    package init(name: String, kind: String, backend: String? = nil) {
        self.name = name
        self.kind = kind
        self.backend = backend ?? name
    }

    /// Views without a feed: the client loads.
    static let client = MeasuredFeed(name: "", kind: "client")
    /// Feeds that were unknown when the metrics were created.
    package static let other = MeasuredFeed(name: "other", kind: "other")
}
