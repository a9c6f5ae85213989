import Foundation
import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBackends

@Suite("Cursors of the sqlite backend", .limit)
struct SQLiteCursorTests {
    private static let values: [[SQLiteValue]] = [
        [.null], [.integer(.max)], [.integer(.min)], [.integer(9_007_199_254_740_993)],
        [.real(3)], [.real(-0.1)], [.real(1e300)], [.real(.leastNonzeroMagnitude)], [.real(1e15)],
        [.text("")], [.text("é\"\\\u{0}\n'; --")], [.blob([])], [.blob([0, 255, 62, 63])],
        [.integer(1), .text("1"), .real(1), .null, .blob([1])],
    ]

    @Test("Parsing a cursor's text yields the same values with the same types", arguments: values)
    func roundTrip(_ values: [SQLiteValue]) throws {
        let text = SQLiteCursor(values).text
        #expect(text.utf8.allSatisfy { UInt8(ascii: "!")...UInt8(ascii: "z") ~= $0 })
        #expect(SQLiteCursor(text, count: values.count)?.values == values)
        #expect(SQLiteCursor(text, count: values.count + 1) == nil)
    }

    private static func encoded(_ json: String) -> String {
        Data(json.utf8).base64EncodedString().replacing("=", with: "")
    }

    @Test(
        "A text that is not a cursor is refused",
        arguments: [
            "", "%%%", "W", "WzFd=", "[1]", encoded("7"), encoded(#"{"items":[1]}"#),
            encoded("[1"), encoded("[true]"), encoded("[[1]]"), encoded("[1e999]"),
            encoded("[9223372036854775808]"), encoded(#"[{"blob":"="}]"#),
            encoded(#"[{"blob":1}]"#),
            encoded(#"[{"blob":"","x":1}]"#), encoded("[{}]"), encoded("[1,2]"), encoded(" [1]"),
            encoded("[\"\u{0}\"]"), encoded("[\(String(repeating: "1", count: 4000))]"),
        ])
    func refused(_ text: String) async throws {
        #expect(SQLiteCursor(text, count: 1) == nil)
        let database = try SongDatabase()
        var options = database.options("SELECT id FROM songs WHERE id > :after_id")
        options.paging = .cursor
        options.after = ["id"]
        let backend = try SQLiteBackend(options)
        let request = LoadRequest(
            feed: "songs", kind: .more, page: 1, offset: 0, size: 20, cursor: text)
        do throws(LoadFailure) {
            _ = try await backend.load(request)
            Issue.record("the load succeeded")
        } catch {
            #expect(error.code == .backendRejected)
        }
    }

    @Test("A mutated cursor is refused or has the same number of values")
    func mutated() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let text = Array(SQLiteCursor([.integer(7), .text("a'b"), .blob([1, 2])]).text.utf8)
        for _ in 0..<2000 {
            var bytes = text
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: bytes.indices, using: &random)
                bytes[index] = UInt8.random(in: 0x21...0x7A, using: &random)
            }
            let cursor = SQLiteCursor(String(decoding: bytes, as: UTF8.self), count: 3)
            #expect(cursor == nil || cursor?.values.count == 3, "seed \(seed)")
        }
    }

    /// The query of docs/backends.md. It orders the rows by two columns. Several rows have equal
    /// values in the first column.
    private static let keyset = """
        SELECT id, title, added FROM songs
        WHERE :after_id IS NULL OR (added, id) < (:after_added, :after_id)
        ORDER BY added DESC, id DESC LIMIT :size
        """

    @Test("A cursor remains correct while rows before its position are inserted and deleted")
    func keyset() async throws {
        let database = try SongDatabase(songs: 45)
        var options = database.options(Self.keyset)
        options.paging = .cursor
        options.after = ["added", "id"]
        let backend = try SQLiteBackend(options)
        var ids: [Int] = []
        var cursor: String?
        repeat {
            let page = try await backend.load(
                LoadRequest(
                    feed: "songs", kind: .more, page: 0, offset: ids.count, size: 10, cursor: cursor
                ))
            let items = try #require(try JSONValue(parsing: page.items).array)
            ids += items.compactMap { $0["id"]?.number.map { Int($0) } }
            cursor = page.cursor
            #expect((cursor != nil) == page.more)
            try database.execute(
                """
                INSERT INTO songs(title, added) VALUES ('new', 1000);
                DELETE FROM songs WHERE id = \(ids[0]);
                """)
        } while cursor != nil && ids.count < 100
        #expect(ids == Array((1...45).reversed()))
    }

    @Test("If the cursor would be too long, the load fails")
    func tooLong() async throws {
        let database = try SongDatabase(songs: 3)
        try database.execute("UPDATE songs SET title = hex(zeroblob(4000))")
        var options = database.options("SELECT title FROM songs LIMIT :size")
        options.paging = .cursor
        options.after = ["title"]
        let backend = try SQLiteBackend(options)
        do throws(LoadFailure) {
            _ = try await backend.load(
                LoadRequest(feed: "songs", kind: .refresh, page: 0, offset: 0, size: 2))
            Issue.record("the load succeeded")
        } catch {
            #expect(error.code == .backendAnswerTooLarge)
        }
    }
}
