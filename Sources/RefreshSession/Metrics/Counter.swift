internal import Synchronization

/// A number that one thread increases and any thread may read. It is used for groups of numbers
/// that do not change with every message.
package final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    package init() {}

    /// Returns `count` counters.
    package static func row(_ count: Int) -> [Counter] { (0..<count).map { _ in Counter() } }

    /// Adds to the number. Only the writer's thread may call this.
    package func add(_ amount: Int) { number.add(amount) }

    package var value: Int { number.value }
}

extension Atomic where Value == Int {
    /// Adds without a locked instruction, which is correct if only one thread writes. Readers see
    /// the old or the new value, never a mix of both.
    @inline(__always)
    func add(_ amount: Int) {
        store(load(ordering: .relaxed) &+ amount, ordering: .relaxed)
    }

    var value: Int { load(ordering: .relaxed) }
}
