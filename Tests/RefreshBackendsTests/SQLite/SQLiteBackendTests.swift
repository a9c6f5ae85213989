import Foundation
import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBackends

@Suite("The sqlite backend", .limit)
struct SQLiteBackendTests {
    private static func request(
        _ parameters: [LoadParameter] = [], page: Int = 1, offset: Int = 0, size: Int = 20,
        cursor: String? = nil, subject: String? = nil
    ) -> LoadRequest {
        LoadRequest(
            feed: "songs", kind: .more, page: page, offset: offset, size: size, cursor: cursor,
            parameters: parameters, subject: subject)
    }

    private static func text(_ page: Page) -> String { String(decoding: page.items, as: UTF8.self) }

    /// Returns the code of the load's failure. The test fails if the load returns a page.
    private static func code(
        _ backend: SQLiteBackend, _ request: LoadRequest = request()
    ) async -> FaultCode? {
        do throws(LoadFailure) {
            let page = try await backend.load(request)
            Issue.record("the load succeeded: \(text(page))")
            return nil
        } catch {
            return error.code
        }
    }

    @Test("Every SQLite type is encoded as JSON, in the order of the columns")
    func types() async throws {
        let database = try SongDatabase()
        let backend = try SQLiteBackend(
            database.options(
                """
                SELECT 9223372036854775807 AS big, -9223372036854775807 - 1 AS small, 1.0 AS whole,
                1.5e300 AS "large real", 'a"\u{5C}' || char(10, 0) || 'é' AS text, NULL AS none,
                x'00ff' AS blob, x'' AS empty
                """))
        let page = try await backend.load(Self.request())
        #expect(
            Self.text(page) == """
                [{"big":9223372036854775807,"small":-9223372036854775808,"whole":1,\
                "large real":1.5e+300,"text":"a\\"\\\\\\n\\u0000é","none":null,\
                "blob":"AP8=","empty":""}]
                """)
        #expect(page.count == 1 && page.more == false && page.total == nil)
    }

    @Test("A query receives parameter values with their types, and missing values as NULL")
    func typed() async throws {
        let database = try SongDatabase()
        let backend = try SQLiteBackend(
            database.options(
                """
                SELECT typeof(:q) AS q, typeof(:year) AS year, typeof(:price) AS price,
                typeof(:sold) AS sold, :year AS exact, typeof(:subject) AS subject
                """))
        let page = try await backend.load(
            Self.request([
                LoadParameter(name: "q", value: .text("7")),
                LoadParameter(name: "year", value: .integer(9_007_199_254_740_993)),
                LoadParameter(name: "price", value: .number(2)),
                LoadParameter(name: "sold", value: .boolean(false)),
            ]))
        #expect(
            Self.text(page) == """
                [{"q":"text","year":"integer","price":"real","sold":"integer",\
                "exact":9007199254740993,"subject":"null"}]
                """)
        let absent = try await backend.load(Self.request(subject: "anna"))
        #expect(
            Self.text(absent) == """
                [{"q":"null","year":"null","price":"null","sold":"null","exact":null,\
                "subject":"text"}]
                """)
    }

    @Test(
        "A hostile client value reaches the query only as a bound value",
        arguments: [
            "' OR '1'='1", "'; DROP TABLE songs; --", "\" OR \"\"=\"", "x\u{0}' OR 1=1", "%", "_",
            ":size", "?1", "/* */ UNION SELECT * FROM sqlite_master --", "\u{FEFF}", "",
        ])
    func injection(_ text: String) async throws {
        let database = try SongDatabase()
        let backend = try SQLiteBackend(
            database.options("SELECT id, :q AS said FROM songs WHERE title = :q OR id = 3"))
        let page = try await backend.load(
            Self.request([LoadParameter(name: "q", value: .text(text))]))
        var quoted = ByteBuffer()
        quoted.appendQuoted(text)
        #expect(
            Self.text(page)
                == #"[{"id":3,"said":\#(String(decoding: quoted.bytes, as: UTF8.self))}]"#
        )
        #expect(try database.text("SELECT count(*) FROM songs") == "5")
    }

    @Test("The offset in a query counts from 0, independent of the first page's number")
    func offsets() async throws {
        let database = try SongDatabase()
        let sql = "SELECT :page AS page, :offset AS offset, :size AS size"
        var options = database.options(sql)
        options.paging = .page
        options.first = 0
        let byPage = try SQLiteBackend(options)
        let second = try await byPage.load(Self.request(page: 1, offset: 10, size: 10))
        #expect(Self.text(second) == #"[{"page":1,"offset":10,"size":10}]"#)
        options.paging = .offset
        options.first = 1
        let byOffset = try SQLiteBackend(options)
        let first = try await byOffset.load(Self.request(page: 0, offset: 1, size: 10))
        #expect(Self.text(first) == #"[{"page":0,"offset":0,"size":10}]"#)
    }

    @Test("A page has at most the requested number of rows, and states the total number of rows")
    func bounded() async throws {
        let database = try SongDatabase(songs: 50)
        var options = database.options("SELECT id FROM songs")
        options.count = "SELECT count(*) FROM songs WHERE id > :offset"
        let backend = try SQLiteBackend(options)
        let page = try await backend.load(Self.request(size: 7))
        #expect((page.count, page.more, page.total) == (7, true, 50))
        let none = try await backend.load(Self.request(size: 0))
        #expect((none.count, none.more) == (0, false))
    }

    @Test("A page that exceeds `responseBytesMax` is aborted while it is encoded")
    func tooLarge() async throws {
        let database = try SongDatabase(songs: 1000)
        var options = database.options("SELECT id, hex(zeroblob(50)) AS x FROM songs")
        options.responseBytesMax = 1024
        let backend = try SQLiteBackend(options)
        #expect(await Self.code(backend, Self.request(size: 1000)) == .backendAnswerTooLarge)
        let page = try await backend.load(Self.request(size: 5))
        #expect(page.count == 5 && page.items.count <= 1024)
    }

    @Test("A query that takes too long is interrupted, and its connection is reused")
    func timesOut() async throws {
        let database = try SongDatabase()
        var options = database.options(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE :year IS NOT NULL)
            SELECT max(i) AS id FROM n
            """)
        options.timeoutMs = 50
        let backend = try SQLiteBackend(options)
        let endless = Self.request([LoadParameter(name: "year", value: .integer(1))])
        #expect(await Self.code(backend, endless) == .backendTimedOut)
        #expect(Self.text(try await backend.load(Self.request())) == #"[{"id":1}]"#)
    }

    @Test("Endless queries do not delay other backends, and queued calls end if they are cancelled")
    func doesNotBlockOthers() async throws {
        let database = try SongDatabase()
        var options = database.options(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n")
        options.timeoutMs = 600_000
        let backend = try SQLiteBackend(options)
        let calls = (0..<10).map { _ in
            Task { try await backend.load(Self.request()) }
        }
        let script = try ScriptBackend(ScriptOptions([ScriptStep(.generate(3), afterMs: 20)]))
        #expect(try await script.load(Self.request()).count == 3)
        for call in calls.reversed() { call.cancel() }
        for call in calls {
            await #expect(throws: LoadFailure.self) { try await call.value }
        }
    }

    @Test("If half of a thousand calls are cancelled, the other half return a page")
    func manyAtOnce() async throws {
        let database = try SongDatabase(songs: 100, isLogged: true)
        let backend = try SQLiteBackend(
            database.options("SELECT id FROM songs WHERE id > :offset LIMIT :size"))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1000 {
                let call = Task {
                    try await backend.load(
                        Self.request(page: 1 + number % 5, size: 20))
                }
                if number.isMultiple(of: 2) { call.cancel() }
                group.addTask {
                    let answer = await call.result
                    if case .success(let page) = answer {
                        #expect(page.count == 20)
                    } else {
                        #expect(number.isMultiple(of: 2))
                    }
                }
            }
        }
    }

    @Test("While another connection writes, a call reads items and total from one database state")
    func oneState() async throws {
        let database = try SongDatabase(songs: 0, isLogged: true)
        try database.execute("INSERT INTO songs(id, title) VALUES (1, '0'), (2, '0')")
        var options = database.options("SELECT title FROM songs")
        options.count = "SELECT sum(CAST(title AS INTEGER)) FROM songs"
        let backend = try SQLiteBackend(options)
        let writer = Task.detached {
            for number in 1...200 {
                try database.execute("UPDATE songs SET title = '\(number)'")
            }
        }
        for _ in 0..<100 {
            let page = try await backend.load(Self.request())
            let items = try #require(try JSONValue(parsing: page.items).array)
            let titles = items.compactMap { $0["title"]?.string.flatMap(Int.init) }
            #expect(titles.count == 2 && page.total == titles.reduce(0, +))
        }
        try await writer.value
    }

    @Test("A total is malformed if it is not an integer from 0 to 2^53 - 1")
    func largestTotal() async throws {
        let database = try SongDatabase()
        var options = database.options("SELECT id FROM songs")
        options.count = "SELECT 9007199254740991"
        let page = try await SQLiteBackend(options).load(Self.request())
        #expect(page.total == 9_007_199_254_740_991)
        for sql in [
            "SELECT 9007199254740992", "SELECT -1", "SELECT '5'", "SELECT 5.0", "SELECT NULL",
        ] {
            options.count = sql
            #expect(await Self.code(try SQLiteBackend(options)) == .backendAnswerMalformed)
        }
    }
}
