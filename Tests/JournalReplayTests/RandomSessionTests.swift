import RefreshConfiguration
import RefreshProtocol
import RefreshSession
import ScenarioBench
import Testing
import Workbench

@testable import JournalReplay

@Suite("Random sessions", .ownThread)
struct RandomSessionTests {
    /// Runs a random session. If `journal` is nil, the session is not recorded, and shares its
    /// services with another session that has already handled all its inputs.
    private static func run(_ seed: UInt64, inputs: Int = 250, journal: MemoryJournal?)
        -> RandomSession
    {
        let driver = RandomSession(seed: seed)
        let services = SessionServices(
            limits: RandomSession.limits(seed: seed), feeds: RandomSession.feeds, loads: driver,
            metrics: SessionMetrics())
        if journal == nil {
            let other = RandomSession(seed: seed &+ 1)
            let noise = Session(
                key: SessionKey(loop: 0, slot: 1, generation: 1), name: "other", channel: other,
                services: services, now: other.now)
            other.drive(noise, inputs: 50)
        }
        let session = Session(
            key: RandomSession.key, name: "0123456789abcdef",
            channel: driver, services: services, now: driver.now, journal: journal)
        driver.drive(session, inputs: inputs)
        return driver
    }

    @Test("The journal of any random session replays byte for byte", arguments: 1...20)
    func replays(number: UInt64) throws {
        let seed = UInt64.random(in: 0 ... .max) &+ number
        print("random session: seed \(seed)")
        let journal = MemoryJournal()
        let driver = Self.run(seed, journal: journal)
        let isWhole = try journal.framesSent() == driver.frames
        #expect(isWhole, "seed \(seed)")
        #expect(!journal.isOpen)
        let verdict = try InProcessReplay.run(journal.bytes)
        #expect(verdict.isIdentical, "seed \(seed): \(verdict.text)")
        #expect(verdict.isClosed)
        #expect(verdict.tornLine == nil)
        let lines = try journal.parsed()
        #expect(lines.last == .end(inputs: verdict.inputs, outputs: verdict.outputs))
        #expect(lines.count == verdict.inputs + verdict.outputs + 2)
        // If the parsed lines are encoded again, the result is the recorded bytes.
        let isSame = ScenarioBench.journal(lines) == journal.bytes
        #expect(isSame)
    }

    @Test("Together, the random sessions record every kind of line and every outcome of a load")
    func reach() throws {
        var kinds: Set<String> = []
        for seed: UInt64 in 1...120 {
            let journal = MemoryJournal()
            _ = Self.run(seed, journal: journal)
            for line in journal.lines {
                let object = try JSONValue(parsing: line)
                let values = ["in", "out", "outcome"].compactMap { name in
                    object[name]?.string.map { "\(name) \($0)" }
                }
                kinds.formUnion(values)
                if object["base64"] != nil { kinds.insert("base64") }
                if let code = object["code"]?.number { kinds.insert("close \(Int(code))") }
            }
        }
        let wanted: Set<String> = [
            "in frame", "in binary", "in writable", "in channel", "in load", "in progress",
            "in retrying", "in changed", "in wake", "in end",
            "in closed", "out frame", "out wait", "out close", "out start", "out cancel",
            "outcome page", "outcome failed", "outcome cancelled", "outcome timedOut", "base64",
            "close 4002", "close 4101", "close 4100",
        ]
        #expect(
            kinds.isSuperset(of: wanted),
            "these kinds of lines never occur: \(wanted.subtracting(kinds))")
    }

    @Test(
        "A session that is not recorded sends the same frames as a recorded one",
        arguments: 1...6)
    func recordingChangesNothing(seed: UInt64) {
        let recorded = Self.run(seed, journal: MemoryJournal())
        let plain = Self.run(seed, journal: nil)
        // The frames are compared outside of #expect, because #expect would need minutes to
        // describe the difference of two long lists.
        let isSame = recorded.frames == plain.frames
        #expect(isSame)
        #expect(recorded.frames.count >= 3)
    }

    @Test("A journal that is cut at any byte replays up to the cut", arguments: [1, 2])
    func cutAnywhere(seed: UInt64) throws {
        let journal = MemoryJournal()
        _ = Self.run(seed, inputs: 30, journal: journal)
        let header = try #require(journal.ends.first)
        let ends = Set(journal.bytes.indices.filter { journal.bytes[$0] == 0x0A }.map { $0 + 1 })
        for length in stride(from: header, to: journal.bytes.count, by: 151) + Array(ends) {
            let verdict = try InProcessReplay.run(Array(journal.bytes[..<length]))
            #expect(verdict.isIdentical, "cut at \(length): \(verdict.text)")
            #expect((verdict.tornLine == nil) == ends.contains(length))
            #expect(verdict.isClosed == (length == journal.bytes.count))
        }
    }

    @Test("A changed byte is found at its line, wherever it is", arguments: [1, 2])
    func changedAnywhere(seed: UInt64) throws {
        let journal = MemoryJournal()
        _ = Self.run(seed, inputs: 30, journal: journal)
        var line = 1
        for index in journal.bytes.indices {
            if journal.bytes[index] == 0x0A {
                line += 1
                continue
            }
            guard line > 1, index % 101 == 0 else { continue }
            var bytes = journal.bytes
            bytes[index] ^= 0x04
            // A byte that becomes a line end gives two invalid lines.
            guard bytes[index] != 0x0A else { continue }
            let verdict = try InProcessReplay.run(bytes)
            guard case .damage(line, _) = verdict.problem else {
                Issue.record("byte \(index) of line \(line): \(verdict.text)")
                return
            }
        }
    }
}
