import RefreshBroker
import RefreshProtocol
import Testing
import WebSocketTransport

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// A holder of sessions is an authenticated subject, or the address of clients without a subject.
@Suite("Eviction of detached sessions")
struct DetachedSessionEvictionTests {
    private func key(_ slot: Int) -> SessionKey {
        SessionKey(loop: 0, slot: UInt32(slot), generation: 1)
    }

    private func holder(_ number: Int) -> SessionHolder { .subject("\(number)") }

    @Test("If one holder has many sessions, its own are evicted, and not those of other holders")
    func flood() {
        var line = DetachedSessionEviction()
        for slot in 0..<50 {
            #expect(line.insert(key(slot), of: holder(slot), holding: 10, most: 100).isEmpty)
        }
        var gone: [SessionKey] = []
        for slot in 100..<1100 {
            gone += line.insert(key(slot), of: holder(-1), holding: 10, most: 100)
        }
        #expect(gone == (100..<1050).map(key))
        #expect(line.count == 100 && line.bytes == 1000)
        // The limit of bytes, too, evicts only sessions of this holder.
        gone = []
        for slot in 1050..<1100 {
            gone += line.updateBytes(of: key(slot), holding: 20, bytesMax: 1000)
        }
        #expect(gone == (1050..<1075).map(key))
        #expect(line.bytes == 1000)
    }

    @Test(
        "To free memory, sessions of the holder with most bytes (on a tie, the earlier) end first")
    func heaviest() {
        var line = DetachedSessionEviction()
        for slot in 0..<64 {
            _ = line.insert(
                key(slot), of: holder(slot % 32), holding: slot % 32 < 8 ? 9 : 1, most: 99)
        }
        let removed = line.removeHeaviest()
        #expect(Set(removed) == Set((0..<64).filter { $0 % 32 < 8 }.map(key)))
        let next = line.removeHeaviest()
        #expect(next.first == key(8))
    }

    @Test(
        "The queue with one list for each holder evicts the same sessions as a plain list",
        arguments: 1...5 as ClosedRange<UInt64>)
    func model(_ seed: UInt64) {
        print("seed \(seed)")
        var dice = SeededRandom(seed: seed)
        var line = DetachedSessionEviction()
        var plain: [(key: SessionKey, holder: Int, bytes: Int)] = []
        func weight(_ holder: Int, _ isBytes: Bool) -> Int {
            plain.filter { $0.holder == holder }.reduce(0) { $0 + (isBytes ? $1.bytes : 1) }
        }
        /// Removes and returns the first session of the holder that has most sessions or bytes. On
        /// a tie, the holder with the earlier first session is chosen.
        func drop(_ isBytes: Bool) -> SessionKey {
            var best = 0
            for index in plain.indices.dropFirst()
            where weight(plain[index].holder, isBytes) > weight(plain[best].holder, isBytes) {
                best = index
            }
            return plain.remove(at: best).key
        }
        for _ in 0..<1500 {
            let slot = Int.random(in: 0..<40, using: &dice)
            let bytes = Int.random(in: 0..<100, using: &dice)
            var expected: [SessionKey] = []
            var evicted: [SessionKey] = []
            let known = plain.firstIndex { $0.key == key(slot) }
            switch Int.random(in: 0..<4, using: &dice) {
            case 0:
                if let known { plain.remove(at: known) }
                line.remove(key(slot))
            case 1:
                if let known { plain[known].bytes = bytes }
                evicted = line.updateBytes(of: key(slot), holding: bytes, bytesMax: 700)
            default:
                if let known { plain.remove(at: known) }
                let holder = Int.random(in: 0..<6, using: &dice)
                plain.append((key(slot), holder, bytes))
                evicted = line.insert(
                    key(slot), of: self.holder(holder), holding: bytes, most: 20, bytesMax: 700)
            }
            while plain.count > 20 { expected.append(drop(false)) }
            while plain.reduce(0, { $0 + $1.bytes }) > 700 { expected.append(drop(true)) }
            #expect(evicted == expected)
            #expect(line.count == plain.count)
            #expect(line.bytes == plain.reduce(0) { $0 + $1.bytes })
        }
    }

    @Test("A session belongs to its subject, or to its client's address if it has no subject")
    func holders() throws {
        var limits = Limits()
        limits.detachedSessionsMax = 3
        let fixture = HostFixture(limits: limits)
        var welcomes: [JSONValue] = []
        for address in ["192.0.2.1", "192.0.2.2", "192.0.2.2", "192.0.2.2", "192.0.2.2"] {
            let client = fixture.connect(from: address)
            welcomes.append(client.open())
            client.hangUp()
            fixture.pass(milliseconds: 1)
        }
        let reasons = welcomes.map { fixture.connect().resume($0)[0]["reason"]?.string }
        #expect(reasons == [nil, "unknownSession", "unknownSession", nil, nil])
    }
}
