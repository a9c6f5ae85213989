internal import Synchronization

/// Sessions that have a connection, in the order in which their connections came, over all loops:
/// where there is no memory for all of them the newest go. From any thread.
final class Newcomers: Sendable {
    private struct State {
        /// Some have left meanwhile.
        var line: [SessionKey] = []
        var here: Set<SessionKey> = []
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.here.count } }

    /// Entries that it takes, those of who has left among them.
    var room: Int { state.withLock { $0.line.count } }

    /// The session has a connection now.
    func enter(_ key: SessionKey) {
        state.withLock { state in
            state.here.insert(key)
            state.line.append(key)
        }
    }

    /// Its connection is gone.
    func leave(_ key: SessionKey) {
        state.withLock { state in
            guard state.here.remove(key) != nil else { return }
            if state.line.last == key { state.line.removeLast() }
            guard state.line.count > 64, state.line.count > 2 * state.here.count else { return }
            let here = state.here
            state.line.removeAll { !here.contains($0) }
        }
    }

    /// Takes the newest out, as many as hold `share` of what all hold, at least one if there is
    /// one: they are to end.
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
