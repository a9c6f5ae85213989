internal import Synchronization

/// The number of operations in progress, counted over several threads.
final class RunningCount: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .acquiring) }

    func add(_ more: Int) { count.add(more, ordering: .acquiringAndReleasing) }
}
