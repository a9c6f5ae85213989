internal import Synchronization

/// Passes the events of a connection to its handler until the connection is closed.
///
/// The handler runs under a mutex. Therefore its calls never overlap, and none runs after `close`
/// has returned.
final class BusReporter: Sendable {
    /// A struct around the closure. If a mutex contained the bare closure, each access could wrap
    /// the closure once more, and each event would need more stack than the previous one.
    private struct Handler: Sendable {
        let handle: @Sendable (BusEvent) -> Void
    }

    private let handler: Mutex<Handler?>

    init(_ handle: @escaping @Sendable (BusEvent) -> Void) {
        handler = Mutex(Handler(handle: handle))
    }

    func report(_ event: BusEvent) {
        handler.withLock { handler in handler?.handle(event) }
    }

    /// Waits for a call of the handler that is running, and releases the handler. Later events are
    /// dropped.
    func close() {
        // What the handler captured is released outside the mutex.
        _ = handler.withLock { handler in
            let released = handler
            handler = nil
            return released
        }
    }
}
