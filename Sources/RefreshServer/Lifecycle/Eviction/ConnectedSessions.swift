internal import RefreshProtocol
internal import RefreshSession
internal import Synchronization

/// The connected sessions of all loops, in the order in which their connections were opened. If
/// memory runs short, the newest are closed. May be used on any thread.
final class ConnectedSessions: Sendable {
    private struct State {
        /// The sessions in order, including removed ones.
        var order: [SessionKey] = []
        var connected: Set<SessionKey> = []
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.connected.count } }

    /// The number of stored entries, including those of removed sessions.
    var entryCount: Int { state.withLock { $0.order.count } }

    /// Adds a session that has a connection now.
    func insert(_ key: SessionKey) {
        state.withLock { state in
            state.connected.insert(key)
            state.order.append(key)
        }
    }

    /// Removes a session that has lost its connection.
    func remove(_ key: SessionKey) {
        state.withLock { state in
            guard state.connected.remove(key) != nil else { return }
            if state.order.last == key { state.order.removeLast() }
            guard state.order.count > 64, state.order.count > 2 * state.connected.count else {
                return
            }
            let here = state.connected
            state.order.removeAll { !here.contains($0) }
        }
    }

    /// Removes and returns the newest sessions, which the caller must end. Their number is the
    /// fraction `share` of all connected sessions, but at least one if a session is connected.
    func removeNewest(share: Double) -> [SessionKey] {
        state.withLock { state in
            let count = max(1, Int((Double(state.connected.count) * share).rounded(.up)))
            var taken: [SessionKey] = []
            while taken.count < count, let key = state.order.popLast() {
                if state.connected.remove(key) != nil { taken.append(key) }
            }
            return taken
        }
    }
}
