internal import Synchronization

/// A number that one thread adds to and any thread may read; for families of numbers that are not
/// on the path of each message.
final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    /// On the writer's thread only.
    func add(_ amount: Int) { number.add(amount) }

    var value: Int { number.value }
}

extension Atomic where Value == Int {
    /// Adds without a locked instruction: right as long as one thread writes. Readers see an old or
    /// the new value, never a torn one.
    @inline(__always)
    func add(_ amount: Int) {
        store(load(ordering: .relaxed) &+ amount, ordering: .relaxed)
    }

    var value: Int { load(ordering: .relaxed) }
}
