import Foundation
import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBackends

/// Which databases and statements are accepted, and how all others fail.
@Suite("The sqlite backend's file and statements", .limit)
struct SQLiteFileTests {
    private static let request = LoadRequest(
        feed: "songs", kind: .refresh, page: 1, offset: 0, size: 20)

    private static func problem(_ options: SQLiteOptions) -> BackendConfigurationError? {
        do throws(BackendConfigurationError) {
            _ = try SQLiteBackend(options)
            return nil
        } catch {
            return error
        }
    }

    private static func failure(_ backend: SQLiteBackend) async -> LoadFailure? {
        do throws(LoadFailure) {
            _ = try await backend.load(request)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "A text that is not a single read-only statement is refused",
        arguments: [
            "DELETE FROM songs", "INSERT INTO songs(id) VALUES (9)", "PRAGMA journal_mode",
            "ATTACH 'x' AS y", "EXPLAIN SELECT 1", "BEGIN", "", "  -- nothing", "/* nothing */",
            "SELECT 1; DELETE FROM songs", "SELECT 1; SELECT 2",
            "WITH old AS (SELECT 1) DELETE FROM songs", "SELECT 1 AS a, 2 AS a",
            "SELECT * FROM nothing", "SELECT", "SELECT 1\u{0}", "SELECT \"title\" FROM nothing",
        ])
    func refused(_ sql: String) throws {
        let database = try SongDatabase()
        #expect(Self.problem(database.options(sql))?.key == "query", "\(sql)")
        if sql != "SELECT 1 AS a, 2 AS a" {
            var options = database.options("SELECT id FROM songs")
            options.count = sql
            #expect(Self.problem(options) != nil, "\(sql)")
        }
        #expect(try database.text("SELECT count(*) FROM songs") == "5")
    }

    @Test(
        "A statement that only reads is accepted",
        arguments: [
            "SELECT 1", "select id from songs;", "-- all\n/* of them */ SELECT id FROM songs",
            "VALUES (1, 2)", "WITH n(i) AS (VALUES (1)) SELECT i FROM n",
        ])
    func taken(_ sql: String) async throws {
        let database = try SongDatabase()
        let backend = try SQLiteBackend(database.options(sql))
        #expect(await Self.failure(backend) == nil)
    }

    @Test(
        "An unknown parameter is refused, and the error contains its name",
        arguments: [
            (":nobody", "`:nobody`"), ("?", "`?`"), ("?1", "`?1`"), ("@q", "`@q`"), ("$q", "`$q`"),
            (":after_id", "`:after_id`"), (":Q", "`:Q`"),
        ])
    func names(_ name: String, _ quoted: String) throws {
        let database = try SongDatabase()
        let problem = Self.problem(database.options("SELECT id FROM songs WHERE id = \(name)"))
        #expect(problem?.key == "query")
        #expect(problem?.message.contains(quoted) == true, "\(String(describing: problem))")
    }

    @Test("The columns of `after` must be distinct and in the result, and need paging by cursor")
    func after() throws {
        let database = try SongDatabase()
        var options = database.options("SELECT id FROM songs")
        options.paging = .cursor
        #expect(Self.problem(options)?.key == "after")
        options.after = ["added"]
        #expect(Self.problem(options)?.key == "after")
        options.after = ["id", "id"]
        #expect(Self.problem(options)?.key == "after")
        options.after = ["id"]
        #expect(Self.problem(options) == nil)
        options.paging = .page
        #expect(Self.problem(options)?.key == "after")
    }

    @Test("A value out of range is refused with its key")
    func ranges() throws {
        let database = try SongDatabase()
        for timeoutMs in [0, 600_001] {
            var options = database.options("SELECT 1")
            options.timeoutMs = timeoutMs
            #expect(Self.problem(options)?.key == "timeoutMs")
        }
        for bytes in [1023, 1_073_741_825] {
            var options = database.options("SELECT 1")
            options.responseBytesMax = bytes
            #expect(Self.problem(options)?.key == "responseBytesMax")
        }
        for name in ["size", "kind", "after_id"] {
            var options = database.options("SELECT 1")
            options.parameters = [FeedParameter(name)]
            #expect(Self.problem(options)?.key == "parameters")
        }
        #expect(Self.problem(SQLiteOptions(path: "", query: "SELECT 1"))?.key == "path")
    }

    @Test("If the file does not exist yet, the first load after its creation checks the statements")
    func later() async throws {
        let folder = try TemporaryFile("songs.db")
        let backend = try SQLiteBackend(
            SQLiteOptions(path: folder.path, query: "SELECT id FROM songs"))
        let writing = "WITH n AS (SELECT 1) DELETE FROM songs RETURNING id"
        let writer = try SQLiteBackend(SQLiteOptions(path: folder.path, query: writing))
        #expect(await Self.failure(backend)?.code == .backendUnavailable)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        let made = try SongDatabase()
        try FileManager.default.copyItem(atPath: made.path, toPath: folder.path)
        #expect(await Self.failure(backend) == nil)
        #expect(await Self.failure(writer)?.code == .backendRejected)
        #expect(try made.text("SELECT count(*) FROM songs") == "5")
    }

    @Test("If the file is replaced, the next load reads the new database")
    func replaced() async throws {
        let old = try SongDatabase(songs: 1)
        let new = try SongDatabase(songs: 3)
        let backend = try SQLiteBackend(old.options("SELECT id FROM songs"))
        #expect(try await backend.load(Self.request).count == 1)
        #expect(unsafe rename(new.path, old.path) == 0)
        #expect(try await backend.load(Self.request).count == 3)
    }

    @Test("If a file is not a database, the load fails, and the message does not contain the path")
    func noDatabase() async throws {
        let text = try TemporaryFile("songs.db", String(repeating: "no database ", count: 1000))
        let folder = URL(filePath: text.path).deletingLastPathComponent().path
        for (path, code) in [
            (text.path, FaultCode.backendFailed), (folder, .backendUnavailable),
            ("/dev/zero", .backendUnavailable), (text.path + "/songs.db", .backendUnavailable),
        ] {
            let backend = try SQLiteBackend(SQLiteOptions(path: path, query: "SELECT 1 AS a"))
            let failure = try #require(await Self.failure(backend))
            #expect(failure.code == code, "\(path)")
            #expect(!failure.message.contains("/"))
        }
    }

    @Test("A relative path cannot leave its folder by `..` or by a link")
    func confined() async throws {
        let outside = try SongDatabase()
        let inside = try TemporaryFile("link.db")
        let folder = URL(filePath: inside.path).deletingLastPathComponent().path
        var options = SQLiteOptions(path: "../songs.db", folder: folder, query: "SELECT 1 AS a")
        #expect(Self.problem(options)?.key == "path")
        options.path = "link.db"
        let backend = try SQLiteBackend(options)
        try FileManager.default.createSymbolicLink(
            atPath: inside.path, withDestinationPath: outside.path)
        #expect(await Self.failure(backend)?.code == .backendUnavailable)
        #expect(Self.problem(options)?.key == "path")
        options.path = outside.path
        #expect(await Self.failure(try SQLiteBackend(options)) == nil)
        try inside.remove()
        try FileManager.default.copyItem(atPath: outside.path, toPath: inside.path)
        #expect(await Self.failure(backend) == nil)
    }

    @Test("A load waits for a short lock, and fails with `backendBusy` if the lock stays")
    func locked() async throws {
        let database = try SongDatabase()
        let backend = try SQLiteBackend(database.options("SELECT id FROM songs"))
        let clock = ContinuousClock()
        try database.execute("BEGIN EXCLUSIVE")
        #expect(await Self.failure(backend)?.code == .backendBusy)
        try database.execute("COMMIT")
        for _ in 0..<100 {
            try database.execute("BEGIN EXCLUSIVE")
            let start = clock.now
            let waiting = Task { await Self.failure(backend) }
            try await Task.sleep(for: .milliseconds(20))
            try database.execute("COMMIT")
            let isInTime = clock.now - start < .milliseconds(150)
            let failure = await waiting.value
            // On a busy machine, the lock may end too late. In this case, the test is repeated.
            guard isInTime else { continue }
            #expect(failure == nil)
            return
        }
        Issue.record("no lock was released in time")
    }
}
