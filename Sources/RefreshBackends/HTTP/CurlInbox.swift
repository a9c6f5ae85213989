internal import Synchronization

/// The inbox of the thread of `HTTPClient`.
final class CurlInbox: Sendable {
    /// What the thread must do with a stream of changes.
    enum StreamOrder: Sendable {
        case open(ChangeStream)
        /// The identity is that of the stream's reporter.
        case end(ObjectIdentifier)
    }

    struct State: Sendable {
        /// The transfers and the orders that were posted since the last `drain`.
        var posted: [CurlTransfer] = []
        var streams: [StreamOrder] = []
        /// The number of backends that use the client.
        var backends = 0
        /// Whether the thread must end.
        var isStopped = false
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

    /// Changes the state, and wakes the thread.
    func change(wake: () -> Void, _ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            wake()
        }
    }

    /// Returns the state, and removes the transfers and the orders from it.
    func drain() -> State {
        state.withLock { state in
            let drained = state
            state.posted = []
            state.streams = []
            return drained
        }
    }
}
