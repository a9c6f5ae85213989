import Testing
import Workbench

@testable import RefreshBroker

/// A waiter is a session's load that waits for an answer of the broker.
@Suite("Waiter numbers")
struct WaiterNumbersTests {
    /// A waiter that has the same hash as many other waiters.
    private struct Waiter: Hashable, Sendable {
        let name: Int

        func hash(into hasher: inout Hasher) { hasher.combine(name % 5) }
    }

    @Test("Each waiter has its own number until its release, and free numbers are reused")
    func random() {
        for seed in 0..<100 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var numbers = WaiterNumbers<Waiter>()
            var model: [Waiter: Int] = [:]
            for _ in 0..<300 {
                let waiter = Waiter(name: .random(in: 0..<30, using: &generator))
                if Bool.random(using: &generator) {
                    let number = numbers.assignNumber(to: waiter)
                    #expect((number == nil) == (model[waiter] != nil), "seed \(seed)")
                    guard let number else { continue }
                    #expect(!model.values.contains(number) && number < 30, "seed \(seed)")
                    model[waiter] = number
                } else if let number = model.removeValue(forKey: waiter) {
                    numbers.release([number])
                }
                #expect(numbers.count == model.count)
                #expect(numbers.number(of: waiter) == model[waiter], "seed \(seed)")
                #expect(model.allSatisfy { numbers[$0.value] == $0.key })
            }
        }
    }
}
