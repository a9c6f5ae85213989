internal import Synchronization

/// Sessions with a connection, over all loops, in the order in which their connections came. If
/// memory is too short for all of them, the newest are closed. May be used on any thread.
final class Newcomers: Sendable {
    private struct State {
        /// The sessions in order, including those that have left meanwhile.
        var line: [SessionKey] = []
        var here: Set<SessionKey> = []
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.here.count } }

    /// The number of entries in use, including those of sessions that have left.
    var room: Int { state.withLock { $0.line.count } }

    /// Adds a session that has a connection now.
    func enter(_ key: SessionKey) {
        state.withLock { state in
            state.here.insert(key)
            state.line.append(key)
        }
    }

    /// Removes a session that has lost its connection.
    func leave(_ key: SessionKey) {
        state.withLock { state in
            guard state.here.remove(key) != nil else { return }
            if state.line.last == key { state.line.removeLast() }
            guard state.line.count > 64, state.line.count > 2 * state.here.count else { return }
            let here = state.here
            state.line.removeAll { !here.contains($0) }
        }
    }

    /// Removes and returns the newest sessions, which must end: the fraction `share` of all, at
    /// least one if there is one.
    func takeNewest(share: Double) -> [SessionKey] {
        state.withLock { state in
            let count = max(1, Int((Double(state.here.count) * share).rounded(.up)))
            var taken: [SessionKey] = []
            while taken.count < count, let key = state.line.popLast() {
                if state.here.remove(key) != nil { taken.append(key) }
            }
            return taken
        }
    }
}
