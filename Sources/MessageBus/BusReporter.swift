internal import Synchronization

/// Passes the events of a connection to its handler until the connection is closed.
///
/// The handler runs under a mutex. Therefore its calls never overlap, and none runs after `close`
/// has returned.
final class BusReporter: Sendable {
    private let handler: Mutex<(@Sendable (BusEvent) -> Void)?>

    init(_ handler: @escaping @Sendable (BusEvent) -> Void) {
        self.handler = Mutex(handler)
    }

    func report(_ event: BusEvent) {
        handler.withLock { handler in handler?(event) }
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
