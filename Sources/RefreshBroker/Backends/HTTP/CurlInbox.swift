internal import Synchronization

/// What tasks leave for the thread of `CurlTransfers`.
final class CurlInbox: Sendable {
    private struct State: Sendable {
        var posted: [CurlTransfer] = []
        var isStopped = false
    }

    private let state = Mutex(State())

    /// Leaves a transfer to be looked at. `wake` is called when nothing waited already, under the
    /// lock: so the thread is still there.
    func post(_ transfer: CurlTransfer, wake: () -> Void) {
        state.withLock { state in
            let wasEmpty = state.posted.isEmpty
            state.posted.append(transfer)
            if wasEmpty { wake() }
        }
    }

    /// Asks the thread to end.
    func stop(wake: () -> Void) {
        state.withLock { state in
            state.isStopped = true
            wake()
        }
    }

    /// What was left since, and whether to end.
    func take() -> (posted: [CurlTransfer], isStopped: Bool) {
        state.withLock { state in
            let posted = state.posted
            state.posted = []
            return (posted, state.isStopped)
        }
    }
}
