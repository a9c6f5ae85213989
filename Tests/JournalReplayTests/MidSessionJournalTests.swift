import RefreshBroker
import RefreshConfiguration
import RefreshProtocol
import RefreshSession
import ScenarioBench
import Testing
import Workbench

@testable import JournalReplay

/// Journals that begin in the middle of a session.
@Suite("Journals that begin in the middle of a session", .ownThread)
struct MidSessionJournalTests {
    private static let token = ResumeToken(0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210)

    /// Runs a random session. Its journal begins before input `first`, and ends before input
    /// `last`.
    private static func run(
        _ seed: UInt64, from first: Int, until last: Int = .max, journal: MemoryJournal?
    ) -> RandomSession {
        let driver = RandomSession(seed: seed)
        let services = SessionServices(
            limits: RandomSession.limits(seed: seed), feeds: RandomSession.feeds, loads: driver,
            metrics: SessionMetrics())
        let session = Session(
            key: RandomSession.key, name: "0123456789abcdef", token: token, channel: driver,
            services: services, now: driver.now)
        driver.drive(session, inputs: 250) { number, session in
            if let journal, number >= first, number < last, !session.isRecorded, journal.isOpen {
                _ = session.beginJournal({ journal }, at: driver.now)
            }
            if number == last { session.endJournal(at: driver.now) }
        }
        return driver
    }

    @Test("A journal that begins at any input replays byte for byte", arguments: 0...39)
    func replays(number: Int) throws {
        let seed = UInt64.random(in: 0 ... .max) &+ UInt64(number)
        let first = number * 4
        print("journal in the middle: seed \(seed), input \(first)")
        let journal = MemoryJournal()
        let driver = Self.run(seed, from: first, journal: journal)
        // The session may have ended before the journal began.
        guard journal.bytes.count > 0 else { return }
        let verdict = try InProcessReplay.run(journal.bytes)
        #expect(verdict.isIdentical, "seed \(seed): \(verdict.text)")
        #expect(verdict.isClosed)
        let parsed = try journal.parsed()
        guard case .input(_, .begun) = parsed[1] else {
            Issue.record("the journal does not begin with the state of the session")
            return
        }
        let again = ScenarioBench.journal(parsed)
        let difference = zip(again, journal.bytes).enumerated().first { $1.0 != $1.1 }?.offset
        let isSame = again == journal.bytes
        let place = max(0, (difference ?? 0) - 200)
        #expect(
            isSame,
            """
            seed \(seed), byte \(difference ?? -1):
            \(String(decoding: again.dropFirst(place).prefix(260), as: UTF8.self))
            \(String(decoding: journal.bytes.dropFirst(place).prefix(260), as: UTF8.self))
            """)
        let sentFrames = try journal.framesSent()
        let isTail = Array(driver.frames.suffix(sentFrames.count)) == sentFrames
        #expect(isTail, "seed \(seed)")
    }

    @Test(
        "Wherever a journal begins, it does not change what the client receives", arguments: 1...12
    )
    func changesNothing(seed: UInt64) throws {
        let plain = Self.run(seed, from: 0, journal: nil)
        let journal = MemoryJournal()
        let recorded = Self.run(seed, from: 40, until: 120, journal: journal)
        let isSame = recorded.frames == plain.frames
        #expect(isSame)
        if journal.bytes.isEmpty { return }
        #expect(!journal.isOpen)
        let verdict = try InProcessReplay.run(journal.bytes)
        #expect(verdict.isIdentical && verdict.isClosed, "\(verdict.text)")
    }
}
