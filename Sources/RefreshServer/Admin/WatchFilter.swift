internal import RefreshProtocol
internal import RefreshSession

/// Which events a watcher receives. Source: docs/operations.md, "Watching".
final class WatchFilter: Sendable {
    /// Only events of the session with this name; nil: all.
    let session: String?
    /// Only events of views of the feed with this name; nil: all.
    let feed: String?
    /// Whether the watcher receives the events of all nodes of the cluster.
    let isOfCluster: Bool

    init(session: String? = nil, feed: String? = nil, isOfCluster: Bool = false) {
        self.session = session
        self.feed = feed
        self.isOfCluster = isOfCluster
    }

    /// Creates the filter from the query of a URL. The query is decoded and has no question mark.
    /// If a member is repeated, the first one counts. Unknown members are ignored.
    convenience init(query: String) {
        self.init(
            session: Query.value(of: "session", in: query),
            feed: Query.value(of: "feed", in: query), isOfCluster: Query.isOfCluster(query))
    }

    /// Returns whether any event of that session can match.
    func matches(session name: String) -> Bool { session?.hasBytes(of: name) ?? true }

    func matches(_ event: SessionEvent) -> Bool {
        guard matches(session: event.session) else { return false }
        guard let feed else { return true }
        return event.feed?.hasBytes(of: feed) ?? false
    }
}
