import Foundation
import RefreshBackends
import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshConfiguration

@Suite("Backends in a configuration file")
struct BackendReaderTests {
    static func backends(
        _ text: String, path: String = "/etc/refreshd/refreshd.yaml"
    ) throws -> [BackendSettings] {
        try ConfigurationFile(text: text, path: path).feeds.map(\.backend)
    }

    @Test("The base of a file backend's relative path is the configuration file's folder")
    func file() throws {
        let text = """
            feeds:
              a: { backend: file, path: x/../songs.csv, paging: page }
              b: { backend: file, path: /var/../notes.data, format: json, paging: page, bytesMax: 1024 }
            """
        var b = FileSettings(path: "/var/../notes.data", folder: "/etc/refreshd", format: .json)
        b.bytesMax = 1024
        let a = FileSettings(path: "x/../songs.csv", folder: "/etc/refreshd")
        #expect(try Self.backends(text) == [.file(a), .file(b)])
        // If the path of the configuration file itself is relative, the working directory is its
        // base.
        let here = FileManager.default.currentDirectoryPath
        for (path, folder) in [("r.yaml", here), ("conf/r.yaml", here + "/conf"), ("/r.yaml", "/")]
        {
            guard case .file(let settings)? = try Self.backends(text, path: path).first else {
                Issue.record("the backend in \(path) is not a file backend")
                continue
            }
            #expect(settings.folder == folder)
        }
    }

    @Test("All keys of an http feed are read")
    func http() throws {
        let text = """
            feeds:
              a:
                backend: http
                url: "http://h/{page}?q={parameter:q}"
                parameters: { q: integer }
                paging: cursor
                method: POST
                body: { q: "{parameter:q}", n: 9007199254740993, x: 1.50, y: [null, ~, true, "true", yes] }
                headers: { X-Key: "a b", X-Number: 5, X-Empty: "" }
                forward: [authorization]
                items: /data/items
                more: /data/more
                next: link
                total: /total
                nextParameter: after
                etag: true
                redirects: 2
                http2: false
                proxy: socks5h://127.0.0.1:9050
                connectTimeoutMs: 5
                totalTimeoutMs: 6
                responseBytesMax: 2048
              b: { backend: http, url: "http://h/", paging: none, next: /a, connectTimeoutMs: 20000 }
            """
        var a = HTTPOptions()
        a.method = .post
        // The body contains each number with the same digits as in the file, even if a double
        // cannot represent the number.
        a.body = Array(
            #"{"q":"{parameter:q}","n":9007199254740993,"x":1.50,"y":[null,null,true,"true","yes"]}"#
                .utf8)
        a.headers = [
            HeaderField(name: "X-Key", value: "a b"), HeaderField(name: "X-Number", value: "5"),
            HeaderField(name: "X-Empty", value: ""),
        ]
        a.forward = ["authorization"]
        a.items = JSONPointer("/data/items")
        a.more = JSONPointer("/data/more")
        a.next = .link
        a.total = JSONPointer("/total")
        a.nextParameter = "after"
        a.etag = true
        a.redirects = 2
        a.http2 = false
        a.proxy = "socks5h://127.0.0.1:9050"
        a.connectTimeoutMs = 5
        a.totalTimeoutMs = 6
        a.responseBytesMax = 2048
        var b = HTTPOptions()
        b.next = JSONPointer("/a").map { .pointer($0) }
        b.connectTimeoutMs = 20_000
        b.totalTimeoutMs = 20_000
        #expect(
            try Self.backends(text) == [
                .http(HTTPSettings(url: "http://h/{page}?q={parameter:q}", options: a)),
                .http(HTTPSettings(url: "http://h/", options: b)),
            ])
    }

    @Test("The default of responseBytesMax is at most the daemon's limit for answers")
    func answerBound() throws {
        let backends = try Self.backends(
            """
            limits: { backendResponseBytesMax: 4096 }
            feeds: { a: { backend: http, url: "http://h/", paging: none } }
            """)
        guard case .http(let settings)? = backends.first else { throw CancellationError() }
        #expect(settings.options.responseBytesMax == 4096)
    }

    @Test("All keys of a sqlite feed are read")
    func sqlite() throws {
        let text = """
            feeds:
              a:
                backend: sqlite
                path: songs.db
                query: >
                  SELECT id FROM songs
                  LIMIT :size
                count: SELECT 1
                after: [added, id]
                parameters: { q: text }
                paging: cursor
                first: 1
                timeoutMs: 70
                responseBytesMax: 4096
            """
        var options = SQLiteOptions(
            path: "songs.db", folder: "/etc/refreshd", query: "SELECT id FROM songs LIMIT :size\n")
        options.count = "SELECT 1"
        options.after = ["added", "id"]
        options.parameters = ["q"]
        options.paging = .cursor
        options.first = 1
        options.timeoutMs = 70
        options.responseBytesMax = 4096
        #expect(try Self.backends(text) == [.sqlite(options)])
    }

    @Test("All keys of an exec backend are read, and its feeds share them")
    func exec() throws {
        let text = """
            backends:
              b:
                kind: exec
                command: [/usr/bin/python3, x.py, "", 5]
                folder: run
                environment: { A: b, EMPTY: "" }
                processes: 2
                loadsPerProcess: 3
                lineBytesMax: 2048
                graceMs: 0
                restartBaseMs: 20000
            feeds:
              one: { backend: b, paging: cursor }
              two: { backend: b, paging: page }
              three: { backend: exec, command: [/bin/x], paging: page }
            """
        var shared = ExecOptions(
            command: ["/usr/bin/python3", "x.py", "", "5"], folder: "/etc/refreshd/run")
        shared.environment = ["A": "b", "EMPTY": ""]
        shared.processes = 2
        shared.loadsPerProcess = 3
        shared.lineBytesMax = 2048
        shared.graceMs = 0
        shared.restartBaseMs = 20_000
        shared.restartCapMs = 20_000
        let own = ExecOptions(command: ["/bin/x"], folder: "/etc/refreshd")
        #expect(try Self.backends(text) == [.exec(shared), .exec(shared), .exec(own)])
    }

    @Test("The options of a worker backend contain the name of the feed that uses the backend")
    func worker() throws {
        let text = """
            backends: { b: { kind: worker, lineBytesMax: 4096, bus: true } }
            feeds: { one: { backend: b, paging: page }, two: { backend: worker, paging: none } }
            """
        var one = WorkerOptions(feeds: ["one"])
        one.lineBytesMax = 4096
        one.busFeeds = ["one"]
        #expect(
            try Self.backends(text) == [.worker(one), .worker(WorkerOptions(feeds: ["two"]))])
    }

    @Test("All keys of a script feed are read")
    func script() throws {
        let text = #"""
            feeds:
              a:
                backend: script
                paging: offset
                first: 1
                then: repeat
                steps:
                  - { afterMs: 50, generate: 1000 }
                  - { fail: backendBusy, retryAfterMs: 100 }
                  - { progress: [0, 0.25, 1], items: [{ id: 18446744073709551615, t: 1.50 }], more: false,
                      next: "x", total: 3, maxAgeMs: 0 }
                  - { raw: "[1", afterMs: 3600000 }
                  - { items: [] }
                  - { hang: true }
            """#
        var options = ScriptOptions([
            ScriptStep(.generate(1000), afterMs: 50),
            ScriptStep(.fail(.backendBusy, retryAfterMs: 100)),
            ScriptStep(
                // The items contain each number with the same digits as in the file.
                .answer(
                    items: Array(#"[{"id":18446744073709551615,"t":1.50}]"#.utf8), more: false,
                    next: "x", total: 3, maxAgeMs: 0),
                progress: [0, 0.25, 1]),
            ScriptStep(.raw(Array("[1".utf8)), afterMs: 3_600_000),
            ScriptStep(.answer(items: Array("[]".utf8))), ScriptStep(.hang),
        ])
        options.then = .repeat
        options.paging = .offset
        options.first = 1
        #expect(try Self.backends(text) == [.script(options)])
    }
}
