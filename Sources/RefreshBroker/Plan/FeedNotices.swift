package import RefreshProtocol
internal import Synchronization

/// The report that a feed has newer data. Source: docs/backends.md, "Changes".
package struct FeedChange: Hashable, Sendable {
    /// The name of the feed.
    package var feed: String
    /// The number of newer items since the previous change.
    package var count: NewerCount
    /// What has changed in the lists of the feed; nil if this is not known. Without operations, it
    /// states that the order of earlier operations is uncertain, so the lists must be verified.
    package var items: [ItemChange]?
    /// Who has reported the change. The changes of one reporter come in the order of the backend.
    /// Empty: the backend, to this node.
    package var reporter = ""
    /// Whether `items` are in the order of the backend for certain.
    package var isOrdered = true
    /// Whether the backend may have made the change earlier, so that its place among the other
    /// changes is not known.
    package var isRepeated = false
    /// Whether each node of a cluster receives the report, so that it is not published.
    package var reachesEveryNode = false

    package init(_ feed: String, count: NewerCount = .unknown, items: [ItemChange]? = nil) {
        self.feed = feed
        self.count = count
        self.items = items
    }
}

/// The connection between a backend that detects newer data, and the listener that notifies the
/// views.
///
/// Backends are created before the listener is set. Changes that are reported before the listener
/// is set are dropped, because no view is attached yet. Any thread may use this object.
package final class FeedNotices: Sendable {
    /// A struct around the closure. If a mutex contained the bare closure, each read would wrap the
    /// closure once more, and the mutex would then contain the wrapper. So each call would need
    /// more time and more stack than the previous call.
    private struct Listener: Sendable {
        let notify: @Sendable (FeedChange) -> Void
    }

    private let listener = Mutex<Listener?>(nil)

    private let currentReader = Mutex(ChangeReader())

    package init() {}

    /// The reader of reports for the configured feeds.
    package var reader: ChangeReader { currentReader.withLock { $0 } }

    /// Sets the feeds to which reports can refer.
    package func setFeeds(_ feeds: [String: ChangeReader.Feed]) {
        currentReader.withLock { $0.feeds = feeds }
    }

    /// Sets the function that hashes the items of pages.
    package func setItemHash(_ hash: SipHash) { currentReader.withLock { $0.hash = hash } }

    /// Reads a report of a change of the feed.
    package func change(
        of feed: String, in report: Span<UInt8>
    ) throws(ChangeReportFault) -> FeedChange {
        try reader.change(of: feed, in: report)
    }

    /// Sets the listener. It is called on the thread that reports a change, and must not block.
    package func setListener(_ listener: @escaping @Sendable (FeedChange) -> Void) {
        self.listener.withLock { $0 = Listener(notify: listener) }
    }

    /// Reports that a feed has newer data.
    package func reportFeedChange(_ change: FeedChange) {
        let listener = self.listener.withLock { $0 }
        listener?.notify(change)
    }
}
