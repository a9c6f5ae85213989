/// A feed with the labels of its loads in the metrics.
package struct MeasuredFeed: Hashable, Sendable {
    /// The feed's name in the configuration.
    package var name: String
    /// The kind of its backend, or `client` if the client is its own backend.
    package var kind: String
    /// The backend's name under `backends` in the configuration, or the feed's name if the feed has
    /// its own backend. Empty if there is no backend.
    package var backend: String

    /// `backend` is nil if the feed does not share its backend.
    package init(name: String, kind: String, backend: String? = nil) {
        self.name = name
        self.kind = kind
        self.backend = backend ?? name
    }

    /// The row for views without a feed. Their client is its own backend.
    static let client = MeasuredFeed(name: "", kind: "client")
    /// The row for feeds that were unknown when the metrics were created.
    package static let other = MeasuredFeed(name: "other", kind: "other")
}
