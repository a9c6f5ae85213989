import Foundation
import ScenarioBench
import Testing

@testable import JournalReplay
@testable import RefreshSession

/// Journals that older daemons have recorded from the middle of a session. Each journal contains
/// the state of its session as a checkpoint or as a snapshot.
@Suite("Journals of older daemons")
struct OlderJournalTests {
    private static let names = ["begun-plain", "begun-stream", "begun-local", "rebuilt-local"]

    /// The members of a checkpoint that are missing in journals of older daemons.
    private static let younger = [
        "diagnosticBudget", "framesHeldUntil", "halfSentBytes", "isByClock", "lastTokenEnds",
        "lastTokenWelcomes", "lineage", "playBudget", "sealBudget", "wantsDiagnostics",
    ]

    private static func bytes(_ name: String) throws -> [UInt8] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Fixtures/journals/\(name).jsonl")
        return Array(try Data(contentsOf: file))
    }

    @Test("A journal of an older daemon replays byte for byte", arguments: names)
    func replays(name: String) throws {
        let verdict = try InProcessReplay.run(try Self.bytes(name))
        #expect(verdict.isIdentical, "\(verdict.text)")
        #expect(verdict.inputs > 4 && verdict.outputs > 1)
    }

    @Test("A journal of an older daemon is unchanged after reading and writing", arguments: names)
    func isWrittenAsRead(name: String) throws {
        let bytes = try Self.bytes(name)
        let lines = try bytes.split(separator: 0x0A).map { try JournalLine(parsing: Array($0)) }
        let isSame = journal(lines) == bytes
        #expect(isSame)
    }

    @Test("If a checkpoint lacks newer members, these members have their default values")
    func younger() throws {
        let lines = try Self.bytes("begun-stream").split(separator: 0x0A)
        let line = try JSONSerialization.jsonObject(with: Data(lines[1])) as? [String: Any]
        let text = try #require(line?["living"] as? String)
        let old = Self.withoutYounger(
            try JSONSerialization.jsonObject(with: Data(text.utf8)))
        let data = try JSONSerialization.data(withJSONObject: old)
        let checkpoint = try #require(
            JournalCheckpoint(json: String(decoding: data, as: UTF8.self)))
        let again = try #require(
            JSONSerialization.jsonObject(with: Data(checkpoint.json.utf8)) as? [String: Any])
        let lineage = try #require(again["lineage"] as? [Any])
        #expect(lineage.first as? String == again["name"] as? String)
        #expect(lineage.count == 2 && lineage.last as? Int == 1)
        #expect(again["lastTokenWelcomes"] as? Int == 0)
        #expect(again["halfSentBytes"] as? Int == 0)
        #expect(again["wantsDiagnostics"] as? Bool == false)
        for name in Self.younger where name != "isByClock" {
            #expect(again[name] != nil, "\(name)")
        }
    }

    private static func withoutYounger(_ value: Any) -> Any {
        if let list = value as? [Any] { return list.map(withoutYounger) }
        guard let members = value as? [String: Any] else { return value }
        return members.filter { !younger.contains($0.key) }.mapValues(withoutYounger)
    }
}
