import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshServer

@Suite("Slots")
struct ServerSlotTests {
    @Test("A slot with an old generation refers to no element")
    func generations() {
        var table = SlotTable<String>()
        var names: [(UInt32, UInt32)] = []
        func insert(_ text: String) {
            _ = table.insert { slot, generation in
                names.append((slot, generation))
                return text
            }
        }
        insert("a")
        insert("b")
        table.remove(slot: names[0].0, generation: names[0].1)
        insert("c")
        #expect(names.map(\.0) == [0, 1, 0])
        #expect(table[names[0].0, names[0].1] == nil)
        #expect(table[names[1].0, names[1].1] == "b")
        #expect(table[names[2].0, names[2].1] == "c")
        #expect(table.count == 2)
        table.remove(slot: names[0].0, generation: names[0].1)
        #expect(table[names[2].0, names[2].1] == "c")
        table.remove(slot: names[2].0, generation: names[2].1)
        table.remove(slot: names[2].0, generation: names[2].1)
        #expect(table.count == 1)
        #expect(table[7, 1] == nil)
        #expect(table.elements == ["b"])
    }

    @Test("Early deadlines expire first, whatever was armed, moved or disarmed", arguments: 1...20)
    func deadlines(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var deadlines = SlotDeadlines()
        var model: [UInt32: Int64] = [:]
        for _ in 0..<2000 {
            let slot = UInt32.random(in: 0..<40, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                let deadline = Int64.random(in: 0..<1000, using: &random)
                let instant = Instant(microseconds: deadline)
                deadlines.arm(instant, slot: slot)
                model[slot] = deadline
            case 2:
                deadlines.disarm(slot: slot)
                model[slot] = nil
            default:
                let now = Int64.random(in: 0..<1000, using: &random)
                if let due = deadlines.popDue(at: Instant(microseconds: now)) {
                    #expect(model[due] == model.values.min())
                    #expect(model[due].map { $0 <= now } == true)
                    model[due] = nil
                } else {
                    #expect(model.values.allSatisfy { $0 > now })
                }
            }
            #expect(deadlines.first?.microseconds == model.values.min())
        }
    }
}
