internal import Dispatch
internal import Synchronization

/// Where the loops of a daemon wait for each other before the first of them accepts anybody: who
/// comes in early would else ask or watch only those that are there, and news for the others would
/// be lost.
final class LoopMuster: Sendable {
    private let loops: Int
    private let missing: Atomic<Int>
    private let all = DispatchSemaphore(value: 0)

    init(loops: Int) {
        self.loops = loops
        missing = Atomic(loops)
    }

    /// One loop can be found by the others; returns when that is so of all. Once on each loop's
    /// thread.
    func arrive() {
        if missing.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
            for _ in 0..<loops { all.signal() }
        }
        all.wait()
    }
}
