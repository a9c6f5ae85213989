internal import RefreshProtocol

/// The source of a feed's items. One instance of a backend serves all sessions.
///
/// This is the only asynchronous protocol of the daemon. A call ends when it returns, throws or is
/// cancelled. Its task is cancelled when the last waiter leaves, or at the deadline. It must end
/// soon after its cancellation. Source: docs/backends.md.
///
/// A call starts on the broker's thread, which all feeds share. Before its first suspension, `load`
/// must not block, and must not compute more than handing the request to another thread requires. A
/// backend that has computations to do there calls `await Task.yield()` first.
package protocol Backend: Sendable {
    func load(_ call: BackendCall) async throws(LoadFailure) -> Page

    /// Stops whatever the backend keeps running, because the daemon is shutting down. No call
    /// follows, and running calls have been cancelled. It may take at most the backend's own grace
    /// period. A second call has no effect.
    func stop()
}

extension Backend {
    package func stop() {}
}

/// The reason a configured backend cannot be created: one sentence for the operator.
package struct BackendConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The configuration key that caused the error, such as `url` or `path`.
    package var key: String
    package var message: String

    package init(_ key: String, _ message: String) {
        self.key = key
        self.message = message
    }

    package var description: String { "\(key): \(message)" }
}
