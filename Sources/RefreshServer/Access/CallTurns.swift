internal import Synchronization

/// So many may be at it at one time; the others wait in line, each for as long as it can.
final class CallTurns: Sendable {
    private struct Waiter: Sendable {
        let continuation: CheckedContinuation<Bool, Never>
        /// Ends the waiting.
        var patience: Task<Void, Never>?
    }

    private struct State: Sendable {
        var free: Int
        /// Numbers in the order of their coming; some wait no more.
        var line: [UInt64] = []
        var waiting: [UInt64: Waiter] = [:]
        var lastNumber: UInt64 = 0
    }

    private let state: Mutex<State>

    init(most: Int) { state = Mutex(State(free: most)) }

    /// Takes a turn; false if none came within that time. Who has one gives it back by `leave`.
    func enter(withinMs milliseconds: Int) async -> Bool {
        await withCheckedContinuation { continuation in
            let number = state.withLock { state -> UInt64? in
                guard state.free == 0 else {
                    state.free -= 1
                    return nil
                }
                state.lastNumber += 1
                state.line.append(state.lastNumber)
                state.waiting[state.lastNumber] = Waiter(continuation: continuation)
                return state.lastNumber
            }
            guard let number else { return continuation.resume(returning: true) }
            let patience = Task {
                try? await Task.sleep(for: .milliseconds(max(0, milliseconds)))
                giveUp(number)
            }
            // Its turn, or its end, may have come since.
            let waits = state.withLock { state in
                state.waiting[number]?.patience = patience
                return state.waiting[number] != nil
            }
            if !waits { patience.cancel() }
        }
    }

    /// Gives a turn back, to the first who still waits.
    func leave() {
        let next = state.withLock { state -> Waiter? in
            let known = state.line.firstIndex { state.waiting[$0] != nil }
            guard let known else {
                state.line.removeAll()
                state.free += 1
                return nil
            }
            let number = state.line[known]
            state.line.removeSubrange(...known)
            return state.waiting.removeValue(forKey: number)
        }
        next?.patience?.cancel()
        next?.continuation.resume(returning: true)
    }

    /// How many wait in line.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    private func giveUp(_ number: UInt64) {
        let waiter = state.withLock { $0.waiting.removeValue(forKey: number) }
        waiter?.continuation.resume(returning: false)
    }
}
