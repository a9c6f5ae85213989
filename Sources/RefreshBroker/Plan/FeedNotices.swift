package import RefreshProtocol
internal import Synchronization

/// The report that a feed has newer data. Source: docs/backends.md, "Changes".
package struct FeedChange: Hashable, Sendable {
    /// The name of the feed.
    package var feed: String
    /// The number of newer items since the previous change.
    package var count: NewerCount
    /// What has changed in the lists of the feed; nil if this is not known.
    package var items: [ItemChange]?

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

    package init() {}

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
