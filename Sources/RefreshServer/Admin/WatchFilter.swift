internal import RefreshProtocol
internal import RefreshSession

/// Which events a watcher receives. Source: docs/operations.md, "Watching".
final class WatchFilter: Sendable {
    /// Only those of the session of that name; nil: all.
    let session: String?
    /// Only those of views of the feed of that name; nil: all.
    let feed: String?

    init(session: String? = nil, feed: String? = nil) {
        self.session = session
        self.feed = feed
    }

    /// Creates the filter from the query of a request, as the transport gives it: decoded, without
    /// its question mark. Of a repeated member the first counts; unknown members are ignored.
    convenience init(query: String) {
        self.init(
            session: Query.value(of: "session", in: query), feed: Query.value(of: "feed", in: query)
        )
    }

    /// Returns whether the watcher wants any event of that session.
    func matches(session name: String) -> Bool { session?.hasBytes(of: name) ?? true }

    func matches(_ event: SessionEvent) -> Bool {
        guard matches(session: event.session) else { return false }
        guard let feed else { return true }
        return event.feed?.hasBytes(of: feed) ?? false
    }
}
