internal import Synchronization

/// How many of several threads have not done their part yet.
final class SharedCount: Sendable {
    private let left: Atomic<Int>

    init(_ count: Int) { left = Atomic(count) }

    /// One has done its part; true if it was the last.
    func countDown() -> Bool { left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }
}
