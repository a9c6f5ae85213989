internal import RefreshProtocol

/// The source of a feed's items. One instance of a backend serves all sessions.
///
/// A call of `load` is asynchronous, and ends when it returns or throws. A waiter is a session's
/// load that waits for the answer. When the last waiter of a call has left, or at the deadline, the
/// task of the call is cancelled. The call must end soon after its cancellation. Source:
/// docs/backends.md.
///
/// A call starts on the broker's thread, which all feeds share. Until its first suspension, `load`
/// must not block, and may only do the work that is needed to pass the request to another thread.
/// If a backend must do more work, it first calls `await Task.yield()`.
package protocol Backend: Sendable {
    func load(_ call: BackendCall) async throws(LoadFailure) -> Page

    /// Performs an edit. Returns the JSON text of the item as it is now, or nil if the backend
    /// returns no item. It must begin as `load` does.
    func edit(_ call: EditCall) async throws(LoadFailure) -> [UInt8]?

    /// Stops everything that the backend keeps running. The broker calls `stop` at shutdown, after
    /// it has cancelled the running calls. It also calls `stop` when the last feed of the backend
    /// has been removed. No call of `load` follows. `stop` may take at most the backend's own grace
    /// period. A second call of `stop` has no effect.
    func stop()
}

extension Backend {
    package func edit(_ call: EditCall) async throws(LoadFailure) -> [UInt8]? {
        throw LoadFailure(.backendRejected, "This kind of backend accepts no edits.")
    }

    package func stop() {}
}
