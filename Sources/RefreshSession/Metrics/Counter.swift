internal import Synchronization

/// A number that one thread adds to and any thread may read. It is for families of numbers that are
/// not needed for every message.
package final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    /// Adds to the number. On the writer's thread only.
    package init() {}

    /// Returns `count` counters.
    package static func row(_ count: Int) -> [Counter] { (0..<count).map { _ in Counter() } }

    package func add(_ amount: Int) { number.add(amount) }

    package var value: Int { number.value }
}

extension Atomic where Value == Int {
    /// Adds without a locked instruction, which is correct as long as one thread writes. Readers
    /// see the old or the new value, never a torn one.
    @inline(__always)
    func add(_ amount: Int) {
        store(load(ordering: .relaxed) &+ amount, ordering: .relaxed)
    }

    var value: Int { load(ordering: .relaxed) }
}
