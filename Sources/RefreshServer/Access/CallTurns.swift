internal import Synchronization
internal import WebSocketTransport

/// So many may be at it at one time; the others wait, each for as long as it can. A turn that
/// becomes free goes to the addresses in rotation, at each to the one that came first: who sends
/// many waits for its own alone.
final class CallTurns: Sendable {
    private struct Waiter: Sendable {
        let continuation: CheckedContinuation<Bool, Never>
        /// Ends the waiting.
        var patience: Task<Void, Never>?
    }

    private struct State: Sendable {
        var free: Int
        /// By address, numbers in the order of their coming; some wait no more. None is empty.
        var lines: [PeerNetwork?: [UInt64]] = [:]
        /// The addresses that have a line, the next one first.
        var rotation: [PeerNetwork?] = []
        var waiting: [UInt64: Waiter] = [:]
        var lastNumber: UInt64 = 0

        mutating func line(_ number: UInt64, of network: PeerNetwork?) {
            if lines[network] == nil { rotation.append(network) }
            lines[network, default: []].append(number)
        }

        /// The next who still waits, taken out.
        mutating func next() -> Waiter? {
            while !rotation.isEmpty {
                let network = rotation.removeFirst()
                guard var line = lines.removeValue(forKey: network) else { continue }
                guard let first = line.firstIndex(where: { waiting[$0] != nil }) else { continue }
                let number = line[first]
                line.removeSubrange(...first)
                if !line.isEmpty {
                    lines[network] = line
                    rotation.append(network)
                }
                return waiting.removeValue(forKey: number)
            }
            return nil
        }
    }

    private let state: Mutex<State>

    init(most: Int) { state = Mutex(State(free: most)) }

    /// Takes a turn for somebody there; false if none came within that time. Who has one gives it
    /// back by `leave`. Nil: all of whom nobody knows where they are, together.
    func enter(withinMs milliseconds: Int, for network: PeerNetwork? = nil) async -> Bool {
        await withCheckedContinuation { continuation in
            let number = state.withLock { state -> UInt64? in
                guard state.free == 0 else {
                    state.free -= 1
                    return nil
                }
                state.lastNumber += 1
                state.line(state.lastNumber, of: network)
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

    /// Gives a turn back, to the next who still waits.
    func leave() {
        let next = state.withLock { state -> Waiter? in
            let next = state.next()
            if next == nil { state.free += 1 }
            return next
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
