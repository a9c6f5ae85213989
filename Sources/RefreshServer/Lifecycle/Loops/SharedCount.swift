internal import Synchronization

/// Counts the threads that have not finished yet.
final class SharedCount: Sendable {
    private let left: Atomic<Int>

    init(_ count: Int) { left = Atomic(count) }

    /// Counts one thread as finished. Returns true if it was the last.
    func countDown() -> Bool { left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }
}
