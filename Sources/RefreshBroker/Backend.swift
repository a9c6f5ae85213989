internal import RefreshProtocol

/// Where items come from. One value of a backend serves all sessions.
///
/// The one asynchronous protocol of the daemon. A call ends by returning, by throwing, or by being
/// cancelled (its task is cancelled when the last waiter left, or at the deadline); it must not
/// outlive its cancellation by much. Source: docs/backends.md.
package protocol Backend: Sendable {
    func load(_ call: BackendCall) async throws(LoadFailure) -> Page

    /// The daemon ends: whatever the backend keeps running ends too. No call follows; those that run
    /// were cancelled. May take as long as the backend's own grace, and no longer.
    func stop()
}

extension Backend {
    package func stop() {}
}
