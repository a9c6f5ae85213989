import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// Edits of a session that a journal records. Source: docs/journal.md.
@Suite("Edits of a recorded session")
struct RecordedEditTests {
    private static func read(_ line: JournalLine) throws -> JournalLine {
        var text = ByteBuffer(capacity: 256)
        line.write(to: &text)
        return try JournalLine(parsing: Array(text.bytes.dropLast()))
    }

    @Test("The lines of an edit are read as they were written")
    func lines() throws {
        let client = EditingClient()
        try client.edit("aaaaaaaa", EditingClient.insert(11))
        let edit = try #require(client.edits.first)
        let item = EditedItem(
            ListEditTests.key(12), Array(PatchedList.item(12, bytes: 1).utf8),
            hashedBy: SipHash(key: 1, 2))
        let outcomes: [EditOutcome] = [
            .confirmed, .replaced(item), .cancelled,
            .failed(LoadFailure(.backendFailed, "No.", retryAfterMs: 5)),
            .unknown(LoadFailure(.backendTimedOut, "No.")),
        ]
        for outcome in outcomes {
            let line = JournalLine.input(
                at: .origin, .edited(edit.ticket, edit.request, outcome))
            #expect(try Self.read(line) == line)
        }
        let output = JournalLine.output(.edit(edit.ticket, edit.request, deadlineMs: 7))
        #expect(try Self.read(output) == output)
    }

    @Test("A checkpoint has the edits of its views")
    func checkpoint() throws {
        let client = EditingClient()
        try client.load(1...10)
        for name in ["aaaaaaaa", "bbbbbbbb", "cccccccc"] {
            try client.edit(name, #"{"remove":3}"#)
        }
        try client.edit("dddddddd", EditingClient.insert(11), delayMs: 500)
        try client.end(0)
        try client.send("scroll", #","offset":0,"phase":"began","t":0"#)
        try client.end(1, .failed(LoadFailure(.backendFailed, "No.")))
        let saved = try #require(client.tester.session.conversation.value.checkpoint)
        let ledger = try #require(saved.session.views.first?.delivery?.edits)
        #expect(ledger.answered.map(\.name) == ["aaaaaaaa"])
        #expect(ledger.ready.map(\.name) == ["bbbbbbbb"])
        #expect(ledger.performed == ["cccccccc"])
        #expect(ledger.waiting.map(\.name) == ["dddddddd"])
        #expect(JournalCheckpoint(json: saved.json) == saved)
    }

    @Test("The edits of a view count for its weight")
    func weight() throws {
        let client = EditingClient()
        try client.load(1...10)
        let before = client.tester.session.heldBytes
        try client.edit(
            "aaaaaaaa", #"{"update":{"id":1,"text":"\#(String(repeating: "x", count: 900))"}}"#,
            delayMs: 500)
        #expect(client.tester.session.heldBytes > before + 900)
    }
}
