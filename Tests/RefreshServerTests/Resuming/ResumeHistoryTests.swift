import Foundation
import RefreshProtocol
import Testing

@testable import RefreshServer
@testable import RefreshSession

/// The histories of two states of a session show which state continues the other. A *line* is an
/// uninterrupted run of the session in one process. Source: docs/protocol.md, "Sealed snapshots".
@Suite("The resume history of a session")
struct ResumeHistoryTests {
    /// A live session, a snapshot, and the expected result.
    struct Case: Sendable, CustomTestStringConvertible {
        /// The course of events. A capital letter names a daemon. The daemons are in the order in
        /// which the client used them.
        var testDescription: String
        /// The steps of the history. Each step is a letter and a number. The letter names a line,
        /// and the number counts the `welcome` messages on that line.
        var current: String
        /// The number of the last `welcome` that the client has certainly received on the live
        /// session's last line. Nil if it has received all.
        var received: UInt64?
        var snapshot: String
        var isOutdone: Bool

        init(
            _ name: String, _ current: String, received: UInt64? = nil, by snapshot: String,
            _ isOutdone: Bool
        ) {
            testDescription = name
            self.current = current
            self.received = received
            self.snapshot = snapshot
            self.isOutdone = isOutdone
        }
    }

    private static let cases = [
        Case("the newest snapshot of the session itself", "a3", by: "a3", false),
        Case("an outdated snapshot of the session itself", "a3", by: "a2", false),
        Case("daemon A, then B, then A again", "a3", by: "a3 b1", true),
        Case(
            "A, then B, then A again, but the session on A was resumed meanwhile", "a4",
            by: "a3 b1", false),
        Case("A, then B, then A, then B again", "a3 b1", by: "a3 b1 c1", true),
        Case(
            "A, then B, then A, and then the outdated snapshot of B", "a3 b1 c1", by: "a3 b1",
            false),
        Case("A, then B, then C, then A again", "a3", by: "a3 b2 c1", true),
        Case(
            "B and C continue the same snapshot of A, and the session on B was resumed since",
            "a3 b2", by: "a3 c1", false),
        Case(
            "a stolen snapshot was resumed first, then the owner resumes", "a3 b1", by: "a4", true),
        Case(
            "a stolen snapshot was resumed on two daemons, then the owner resumes", "a3 b1 c4",
            by: "a4", true),
        Case(
            "a stolen snapshot was resumed first, then the owner resumes after using daemon C",
            "a3 b5", by: "a4 c1", true),
        Case(
            "the thief, whose session was superseded, resumes again", "a4 c1", by: "a3 b5", false),
        Case("the thief resumes with the stolen snapshot again", "a4 c1", by: "a3", false),
        Case("an outdated snapshot was resumed on another daemon", "a4", by: "a3 b1", false),
        Case(
            "an outdated snapshot was resumed on two other daemons", "a4", by: "a3 b1 c7", false),
        Case(
            "the last welcome was lost, and the client continued on another daemon", "a4",
            received: 3, by: "a3 b1", true),
        Case(
            "several welcomes were lost, and the client continued on another daemon", "a9",
            received: 3, by: "a3 b1", true),
        Case(
            "an unconfirmed last welcome was received, and the client continued on another daemon",
            "a9", received: 3, by: "a9 b1", true),
        Case(
            "a snapshot between the received and the last welcome was resumed on another daemon",
            "a9", received: 3, by: "a5 b1", false),
        Case(
            "the last welcome was lost, and the client has the snapshot before it", "a4",
            received: 3, by: "a3", false),
        Case(
            "the first welcome after a rebuild was lost, and the client continued on daemon C",
            "a3 b1", received: 0, by: "a3 c1", true),
        Case(
            "the first welcome after a rebuild was received, and daemon C has the old snapshot",
            "a3 b1", by: "a3 c1", false),
        Case(
            "the first welcome after a rebuild was lost, and the client has the same snapshot",
            "a3 b1", received: 0, by: "a3", false),
        Case(
            "the first welcome after a rebuild was lost, and daemon C has an outdated snapshot",
            "a3 b1", received: 0, by: "a2 c1", false),
        Case(
            "rebuilt twice, and the last welcome was lost", "a3 b1 c1", received: 0, by: "a3 d1",
            false),
        Case("the histories have no line in common", "a3", by: "b9 c9", false),
        Case("the history of the snapshot is empty", "a3", by: "", false),
        Case("the history of the session is empty", "", by: "a3", false),
    ]

    private static func history(_ text: String) -> ResumeHistory {
        ResumeHistory(
            text.split(separator: " ").map {
                ResumeHistory.Step(String($0.prefix(1)), UInt64($0.dropFirst()) ?? 0)
            })
    }

    @Test(
        "A snapshot supersedes a session only if it continues a state that the session has or had",
        arguments: cases)
    func table(_ test: Case) {
        let current = Self.history(test.current)
        let received = test.received ?? current.welcomes
        #expect(
            current.isSuperseded(by: Self.history(test.snapshot), received: received)
                == test.isOutdone)
    }

    @Test("Of two states, at most one supersedes the other")
    func order() {
        let all = Self.cases.flatMap { [$0.current, $0.snapshot] }.map(Self.history)
        for one in all {
            for other in all where one.isSuperseded(by: other, received: one.welcomes) {
                #expect(!other.isSuperseded(by: one, received: other.welcomes), "\(one), \(other)")
            }
        }
    }

    @Test("A snapshot of a daemon without resume histories is opened with an empty history")
    func absent() {
        var snapshot = SessionSnapshot(SavedSession(name: "5f0c"), tokenHash: [])
        #expect(!snapshot.json.contains("origin"))
        #expect(SessionSnapshot(json: snapshot.json) == snapshot)
        snapshot.history = Self.history("a3 b1")
        #expect(SessionSnapshot(json: snapshot.json) == snapshot)
    }

    @Test("If the only line in common is older than the last eight, the session is not superseded")
    func manyLines() {
        var history = ResumeHistory(openedAs: "0")
        let original = history
        for line in 1...7 {
            history = history.continued(as: "\(line)")
            history.recordWelcome()
        }
        #expect(
            history.steps.count == ResumeHistory.stepsMax
                && history.steps.allSatisfy { $0.welcomes == 1 })
        #expect(original.isSuperseded(by: history, received: 1))
        let before = history
        history = history.continued(as: "8")
        history.recordWelcome()
        #expect(history.steps.map(\.line) == (1...8).map { "\($0)" })
        #expect(!original.isSuperseded(by: history, received: 1))
        #expect(before.isSuperseded(by: history, received: 1))
    }

    @Test("A history is encoded as a list, and of a list that is too long only the end is decoded")
    func text() throws {
        let history = Self.history("a3 b1")
        let data = try JSONEncoder().encode(history)
        #expect(String(decoding: data, as: UTF8.self) == #"["a",3,"b",1]"#)
        #expect(try JSONDecoder().decode(ResumeHistory.self, from: data) == history)
        let long = "[" + (1...20).map { #""\#($0)",1"# }.joined(separator: ",") + "]"
        let read = try JSONDecoder().decode(ResumeHistory.self, from: Data(long.utf8))
        #expect(read.steps.map(\.line) == (13...20).map { "\($0)" })
        for wrong in [#"["a"]"#, #"["a",-1]"#, #"[1,"a"]"#, "{}"] {
            #expect(throws: (any Error).self) {
                try JSONDecoder().decode(ResumeHistory.self, from: Data(wrong.utf8))
            }
        }
    }
}
