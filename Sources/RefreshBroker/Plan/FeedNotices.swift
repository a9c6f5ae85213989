internal import Synchronization

/// The way from a backend that knows of newer data to whoever tells the views.
///
/// Backends are made before there is anybody to listen: what is said until then is dropped, for no
/// view is attached yet. Any thread may call.
package final class FeedNotices: Sendable {
    /// A mutex that holds a bare closure wraps it anew each time that it is read and keeps what it
    /// has wrapped: call after call it would take longer, and more of the stack.
    private struct Listener: Sendable {
        let tell: @Sendable (String) -> Void
    }

    private let listener = Mutex<Listener?>(nil)

    package init() {}

    /// From now on `listener` is told, on the thread of whoever says it; it must not block.
    package func listen(_ listener: @escaping @Sendable (_ feed: String) -> Void) {
        self.listener.withLock { $0 = Listener(tell: listener) }
    }

    /// The feed of that name has newer data.
    package func feedChanged(_ feed: String) {
        let listener = self.listener.withLock { $0 }
        listener?.tell(feed)
    }
}
