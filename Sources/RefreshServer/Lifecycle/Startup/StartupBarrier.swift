internal import Dispatch
internal import Synchronization

/// Makes the loops of a daemon wait for each other before the first of them accepts connections.
/// Without this wait, the admin requests of an early client would reach only the registered loops,
/// and events for the other loops would be lost.
final class StartupBarrier: Sendable {
    private let loops: Int
    private let missing: Atomic<Int>
    private let all = DispatchSemaphore(value: 0)

    init(loops: Int) {
        self.loops = loops
        missing = Atomic(loops)
    }

    /// Marks one loop as registered, and returns when all loops are registered. Call it once on
    /// each loop's thread.
    func arriveAndWait() {
        if missing.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
            for _ in 0..<loops { all.signal() }
        }
        all.wait()
    }
}
