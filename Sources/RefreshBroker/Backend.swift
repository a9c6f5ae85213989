internal import RefreshProtocol

/// Where items come from. One value of a backend serves all sessions.
///
/// The one asynchronous protocol of the daemon. A call ends by returning, by throwing, or by being
/// cancelled (its task is cancelled when the last waiter left, or at the deadline); it must not
/// outlive its cancellation by much. Source: docs/backends.md.
///
/// A call begins on the broker's thread, which all feeds share: before `load` first suspends it
/// must neither block nor compute more than it takes to hand the request to another thread. A
/// backend that has anything to compute there says `await Task.yield()` before.
package protocol Backend: Sendable {
    func load(_ call: BackendCall) async throws(LoadFailure) -> Page

    /// The daemon ends: whatever the backend keeps running ends too. No call follows; those that
    /// run were cancelled. May take as long as the backend's own grace, and no longer. A second
    /// call changes nothing.
    func stop()
}

extension Backend {
    package func stop() {}
}
