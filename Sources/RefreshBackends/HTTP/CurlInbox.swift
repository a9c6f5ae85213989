internal import Synchronization

/// The inbox of the thread of `CurlTransfers`.
final class CurlInbox: Sendable {
    private struct State: Sendable {
        var posted: [CurlTransfer] = []
        var isStopped = false
        var isStreamStopped = false
    }

    private let state = Mutex(State())

    /// Posts a transfer for the thread to handle. If the inbox was empty, `wake` is called under
    /// the lock, so that the thread cannot end before `wake` has returned.
    func post(_ transfer: CurlTransfer, wake: () -> Void) {
        state.withLock { state in
            let wasEmpty = state.posted.isEmpty
            state.posted.append(transfer)
            if wasEmpty { wake() }
        }
    }

    /// Requests the end of the thread.
    func stop(wake: () -> Void) {
        state.withLock { state in
            state.isStopped = true
            wake()
        }
    }

    /// Requests the end of the stream of changes.
    func stopStream(wake: () -> Void) {
        state.withLock { state in
            state.isStreamStopped = true
            wake()
        }
    }

    /// Removes and returns the transfers that were posted since the last call. Also returns whether
    /// the thread and the stream of changes must end.
    func drain() -> (posted: [CurlTransfer], isStopped: Bool, isStreamStopped: Bool) {
        state.withLock { state in
            let posted = state.posted
            state.posted = []
            return (posted, state.isStopped, state.isStreamStopped)
        }
    }
}
