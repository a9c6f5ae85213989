internal import Synchronization

/// The connection between a backend that detects newer data, and the listener that notifies the
/// views.
///
/// Backends are created before the listener is set. Changes reported until then are dropped,
/// because no view is attached yet. Any thread may use this object.
package final class FeedNotices: Sendable {
    /// A struct around the closure. A mutex that holds a bare closure wraps it again on each read
    /// and keeps the wrapper. Each call would then take more time and more stack than the previous
    /// call.
    private struct Listener: Sendable {
        let notify: @Sendable (String) -> Void
    }

    private let listener = Mutex<Listener?>(nil)

    package init() {}

    /// Sets the listener. It is called on the thread that reports a change, and must not block.
    package func setListener(_ listener: @escaping @Sendable (_ feed: String) -> Void) {
        self.listener.withLock { $0 = Listener(notify: listener) }
    }

    /// Reports that the named feed has newer data.
    package func reportFeedChange(_ feed: String) {
        let listener = self.listener.withLock { $0 }
        listener?.notify(feed)
    }
}
