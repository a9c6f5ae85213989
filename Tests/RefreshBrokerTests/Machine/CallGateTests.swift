import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBroker

/// A call gate has the queue of the loads that wait for a call of a backend. A waiter list contains
/// the sessions' loads that wait for the answer to one request.
@Suite("Call gates and waiter lists")
struct CallGateTests {
    @Test("Loads leave the queue in order, removed ones are skipped, and a full queue accepts none")
    func queue() {
        var gate = CallGate(callsMax: 1, queueMax: 3)
        #expect(gate.hasCapacity)
        gate.recordCallStart()
        #expect(!gate.hasCapacity)
        for load in 1...3 as ClosedRange<UInt64> { #expect(gate.enqueue(load) == true) }
        #expect(gate.enqueue(4) == false)
        gate.remove(2)
        gate.remove(77)
        #expect(gate.queued == 2)
        #expect(gate.enqueue(5) == true)
        let served = (0..<4).map { _ in gate.dequeue() }
        #expect(served == [1, 3, 5, nil])
        gate.recordCallEnd()
        #expect(gate.hasCapacity)
    }

    @Test("Under random operations, the queue behaves like a plain list")
    func random() {
        for seed in 0..<100 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var gate = CallGate(callsMax: 1, queueMax: 40)
            var model: [UInt64] = []
            for load in 0..<600 as Range<UInt64> {
                switch Int.random(in: 0..<5, using: &generator) {
                case 0, 1, 2:
                    #expect(gate.enqueue(load) == (model.count < 40), "seed \(seed)")
                    if model.count < 40 { model.append(load) }
                case 3:
                    guard let removed = model.randomElement(using: &generator) else { continue }
                    gate.remove(removed)
                    model.removeAll { $0 == removed }
                default:
                    #expect(gate.dequeue() == model.first, "seed \(seed)")
                    if !model.isEmpty { model.removeFirst() }
                }
                #expect(gate.queued == model.count, "seed \(seed)")
            }
        }
    }

    @Test("While waiters join and leave, their order and latest deadline are correct")
    func waiters() {
        for seed in 0..<100 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var list = WaiterList<Int>()
            var model: [(waiter: Int, deadline: Instant)] = []
            for waiter in 1...200 {
                let deadline = Instant(microseconds: .random(in: 0..<1000, using: &generator))
                list.append(waiter, serial: UInt64(waiter), deadline: deadline)
                model.append((waiter, deadline))
                let removed = Int.random(in: 1...waiter, using: &generator)
                let wasThere = model.contains { $0.waiter == removed }
                #expect(list.contains(UInt64(removed)) == wasThere)
                #expect(list.remove(UInt64(removed)) == (wasThere ? removed : nil))
                model.removeAll { $0.waiter == removed }
                #expect(list.present == model.map(\.waiter), "seed \(seed)")
                #expect(list.lastDeadline == model.map(\.deadline).max())
            }
        }
    }

    @Test("Deadlines are returned in order of time, even after some were removed from the queue")
    func deadlines() {
        var heap = DueQueue<LoadDeadline>()
        var generator = SeededGenerator(seed: 7)
        for serial in 0..<1000 as Range<UInt64> {
            let deadline = Instant(microseconds: Int64.random(in: 0..<100, using: &generator))
            heap.insert(.init(deadline: deadline, serial: serial, flight: 1))
            #expect(heap.nextDeadline == heap.first?.deadline)
        }
        heap.retain { $0.serial % 3 == 0 }
        #expect(heap.count == 334)
        var last: LoadDeadline?
        while let entry = heap.first {
            #expect(heap.nextDeadline == entry.deadline)
            if let last { #expect(last.precedes(entry)) }
            last = entry
            heap.removeFirst()
        }
        #expect(heap.nextDeadline == nil)
        heap.removeFirst()
        #expect(heap.count == 0)
    }
}
