internal import RefreshSession
internal import Synchronization
internal import WebSocketTransport

/// A semaphore that limits concurrent requests and is fair to client addresses. Callers beyond the
/// limit wait, each up to its own deadline.
///
/// A turn is the permission to send one request. When a turn is released, the next address in the
/// rotation gets it. Among the callers of that address, the one that has waited longest gets the
/// turn. A client that sends many requests therefore delays only its own requests.
final class FairSemaphore: Sendable {
    private struct Waiter: Sendable {
        let continuation: CheckedContinuation<Bool, Never>
        /// Ends the wait when the caller's time is over.
        var timeout: Task<Void, Never>?
    }

    private struct State: Sendable {
        var free: Int
        /// The queue of each address: the keys of its callers in `waiting`, in order of arrival.
        /// Some callers may have stopped waiting. No queue is empty.
        var queues: [PeerNetwork?: [UInt64]] = [:]
        /// The addresses that have a queue. The first address gets the next turn.
        var rotation: [PeerNetwork?] = []
        var waiting: [UInt64: Waiter] = [:]
        var lastNumber: UInt64 = 0

        mutating func enqueue(_ number: UInt64, of network: PeerNetwork?) {
            if queues[network] == nil { rotation.append(network) }
            queues[network, default: []].append(number)
        }

        /// Removes and returns the next caller that still waits.
        mutating func dequeueWaiter() -> Waiter? {
            while !rotation.isEmpty {
                let network = rotation.removeFirst()
                guard var line = queues.removeValue(forKey: network) else { continue }
                guard let first = line.firstIndex(where: { waiting[$0] != nil }) else { continue }
                let number = line[first]
                line.removeSubrange(...first)
                if !line.isEmpty {
                    queues[network] = line
                    rotation.append(network)
                }
                return waiting.removeValue(forKey: number)
            }
            return nil
        }
    }

    private let state: Mutex<State>

    init(most: Int) { state = Mutex(State(free: most)) }

    /// Acquires a turn for an address; returns false if none became free in time. A caller that has
    /// a turn must call `release`. Callers with an unknown address pass nil, and share one queue.
    func acquire(withinMs milliseconds: Int, for network: PeerNetwork? = nil) async -> Bool {
        await withCheckedContinuation { continuation in
            let number = state.withLock { state -> UInt64? in
                guard state.free == 0 else {
                    state.free -= 1
                    return nil
                }
                state.lastNumber += 1
                state.enqueue(state.lastNumber, of: network)
                state.waiting[state.lastNumber] = Waiter(continuation: continuation)
                return state.lastNumber
            }
            guard let number else { return continuation.resume(returning: true) }
            let timeout = Task {
                try? await Task.sleep(for: .milliseconds(max(0, milliseconds)))
                expireWaiter(number)
            }
            // Before this lock was acquired, another thread may have granted the turn, or the
            // timeout may have passed.
            let waits = state.withLock { state in
                state.waiting[number]?.timeout = timeout
                return state.waiting[number] != nil
            }
            if !waits { timeout.cancel() }
        }
    }

    /// Releases a turn. The next caller that still waits gets it.
    func release() {
        let next = state.withLock { state -> Waiter? in
            let next = state.dequeueWaiter()
            if next == nil { state.free += 1 }
            return next
        }
        next?.timeout?.cancel()
        next?.continuation.resume(returning: true)
    }

    /// The number of waiting callers.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    private func expireWaiter(_ number: UInt64) {
        let waiter = state.withLock { $0.waiting.removeValue(forKey: number) }
        waiter?.continuation.resume(returning: false)
    }
}
