import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshCluster

@Suite("Damaged bus messages")
struct DamagedMessageTests {
    /// Damages a message: changes, removes, repeats or inserts bytes, or joins two messages.
    private func damage(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.below(3) where !bytes.isEmpty {
            let index = random.below(bytes.count)
            switch random.below(7) {
            case 0: bytes[index] = UInt8(random.below(256))
            case 1: bytes[index] ^= 1 << UInt8(random.below(8))
            case 2: bytes.removeSubrange(index..<min(bytes.count, index + 1 + random.below(8)))
            case 3: bytes.insert(contentsOf: bytes[index...].prefix(random.below(20)), at: index)
            case 4: bytes = Array(bytes[..<index])
            case 5:
                let texts = ["null", "1e999", "-0", "[]", "{}", "\"\"", "9007199254740992", "\n"]
                bytes.insert(contentsOf: random.element(of: texts).utf8, at: index)
            default:
                let other = random.element(of: MessageSamples.messages).bytes ?? []
                bytes += other[random.below(other.count)...]
            }
        }
        return bytes
    }

    @Test("20,000 damaged messages cause no trap, and each is accepted or counted as dropped")
    func damaged() {
        let seed: UInt64 = 20_261_127
        var random = SeededRandom("damaged bus messages", seed: seed)
        var harness = MachineHarness()
        let samples = MessageSamples.messages.compactMap(\.bytes)
        var accepted = 0
        var returned = 0
        for number in 0..<20_000 {
            let bytes = damage(random.element(of: samples), &random)
            let before = harness.machine.counters
            harness.send(.received(bytes), at: Double(number))
            let counters = harness.machine.counters
            let news = counters.received.values.reduce(0, +) - before.received.values.reduce(0, +)
            let drops = counters.dropped.values.reduce(0, +) - before.dropped.values.reduce(0, +)
            if let message = try? BusMessage(reading: bytes) {
                // Messages with this node's identity are ignored.
                if message.sender == MachineHarness.own { returned += 1 } else { accepted += news }
                #expect(drops == 0, "message \(number)")
                // An accepted message can be written.
                #expect(message.bytes != nil, "message \(number)")
            } else {
                #expect(news == 0 && drops == 1, "message \(number)")
            }
        }
        let dropped = harness.machine.counters.dropped
        #expect(accepted + returned + dropped.values.reduce(0, +) == 20_000)
        for reason in [.malformed, .version, .type, .member] as [BusMessageDrop] {
            #expect(dropped[reason, default: 0] > 50, "\(reason)")
        }
    }

    @Test("20,000 messages of random bytes cause no trap and are dropped")
    func garbage() {
        var random = SeededRandom("garbage on the bus", seed: 4711)
        var harness = MachineHarness()
        for _ in 0..<20_000 {
            let bytes = (0..<random.below(200)).map { _ in UInt8(random.below(256)) }
            harness.send(.received(bytes))
        }
        #expect(harness.machine.counters.dropped == [.malformed: 20_000])
    }
}
