import Foundation
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshConfiguration

/// Mistakes in a `sqlite` feed, with and without an existing database.
@Suite("A sqlite feed in a configuration file")
struct SQLiteConfigurationTests {
    /// Creates a folder with the database `songs.db`. Its table `songs` has the columns `id`,
    /// `title` and `added`.
    private static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let python = Process()
        python.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        python.arguments = [
            "-I", "-c",
            "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute("
                + "'CREATE TABLE songs (id INTEGER, title TEXT, added INTEGER)').connection.commit()",
            folder.appendingPathComponent("songs.db").path,
        ]
        try python.run()
        python.waitForStatus()
        try #require(python.waitForStatus() == 0)
        return folder
    }

    private static func problems(_ keys: String, path: String = "songs.db") throws -> [String] {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = "feeds:\n  a:\n    backend: sqlite\n    path: \(path)\n    \(keys)"
        do throws(ConfigurationError) {
            _ = try ConfigurationFile(text: text, path: folder.path + "/r.yaml")
            return []
        } catch {
            return error.problems.map {
                "\($0.location?.line ?? 0):\($0.location?.column ?? 0): \($0.key): \($0.message)"
            }
        }
    }

    @Test("A read-only query with known parameter names is accepted")
    func fine() throws {
        let keys =
            "{ query: 'SELECT id, title FROM songs WHERE title = :q AND id > :after_id "
            + "ORDER BY id LIMIT :size', after: [id], paging: cursor, parameters: [q], "
            + "count: 'SELECT count(*) FROM songs' }"
        // Turns the flow mapping into the lines of a block mapping.
        let lines = keys.dropFirst(2).dropLast(2)
            .replacing("', after", with: "'\n    after").replacing("], p", with: "]\n    p")
            .replacing("cursor, p", with: "cursor\n    p").replacing("], c", with: "]\n    c")
        #expect(try Self.problems(String(lines)) == [])
        // If the database does not exist yet, its statements are not checked before the first load.
        #expect(try Self.problems("query: SELECT 1\n    paging: page", path: "none.db") == [])
    }

    @Test(
        "A mistake in the keys of a sqlite feed is reported at its line",
        arguments: [
            ("paging: page", "2:3: feeds.a: `query` is missing"),
            ("query: SELECT 1\n    paging: none", "6:13: feeds.a.paging: `none` is not one of"),
            ("query: []\n    paging: page", "5:12: feeds.a.query: expected a string, found a list"),
            ("query: DELETE FROM songs\n    paging: page", "5:12: feeds.a.query: "),
            ("query: SELECT 1; SELECT 2\n    paging: page", "5:12: feeds.a.query: "),
            ("query: SELEKT 1\n    paging: page", "5:12: feeds.a.query: "),
            ("query: 'SELECT :zebra'\n    paging: page", "5:12: feeds.a.query: "),
            ("query: 'SELECT :trigger'\n    paging: page", "5:12: feeds.a.query: "),
            ("query: 'SELECT ?'\n    paging: page", "5:12: feeds.a.query: "),
            (
                "query: SELECT 1\n    count: DELETE FROM songs\n    paging: page",
                "6:12: feeds.a.count: "
            ),
            ("query: SELECT 1\n    paging: cursor", "2:3: feeds.a.after: "),
            ("query: SELECT 1\n    paging: page\n    after: [id]", "7:12: feeds.a.after: "),
            (
                "query: SELECT 1\n    paging: cursor\n    after: [id, id]",
                "7:17: feeds.a.after: `id` occurs twice"
            ),
            (
                "query: SELECT id FROM songs\n    paging: cursor\n    after: [other]",
                "7:12: feeds.a.after: "
            ),
            (
                "query: SELECT 1\n    paging: page\n    parameters: [size]",
                "7:17: feeds.a.parameters: "
            ),
            (
                "query: SELECT 1\n    paging: page\n    timeoutMs: 0",
                "7:16: feeds.a.timeoutMs: 0 is out of range; 1 to 600000"
            ),
        ])
    func mistake(keys: String, message: String) throws {
        let problems = try Self.problems(keys)
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix(message) == true, "\(problems)")
    }

    @Test(
        "A relative path outside the folder is refused", arguments: ["../songs.db", "a/../../s.db"])
    func outside(path: String) throws {
        #expect(
            try Self.problems("query: SELECT 1\n    paging: page", path: path) == [
                "4:11: feeds.a.path: a relative path must not leave the folder of this file"
            ])
    }
}
