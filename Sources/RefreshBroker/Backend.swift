internal import RefreshProtocol

/// Where items come from. One value of a backend serves all sessions.
///
/// The one asynchronous protocol of the daemon. A load ends by returning, by throwing, or by being
/// cancelled (its task is cancelled when the last waiter left, or at the deadline); it must not
/// outlive its cancellation by much. Source: docs/backends.md.
package protocol Backend: Sendable {
    func load(_ request: LoadRequest) async throws(LoadFailure) -> Page
}
