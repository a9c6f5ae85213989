import RefreshProtocol
import Testing

@testable import RefreshConfiguration

/// Compares `ConfigurationShape`, which describes all keys of the configuration file, with the code
/// that reads the file (the readers).
@Suite("The shape of the configuration")
struct ConfigurationShapeTests {
    private static func problems(_ text: String) -> [ConfigurationProblem] {
        do throws(ConfigurationError) {
            _ = try ConfigurationFile(text: text, path: "refreshd.yaml")
            return []
        } catch {
            return error.problems
        }
    }

    /// Returns the keys that a reader lists in its message about the unknown key `key`.
    private static func known(_ text: String, at key: String) -> Set<String> {
        let mark = "unknown key; known keys: "
        let problem = problems(text).first { $0.key == key && $0.message.hasPrefix(mark) }
        let names = problem?.message.dropFirst(mark.count).split(separator: ", ") ?? []
        return Set(names.map(String.init))
    }

    private static func keys(_ name: String) -> [SettingsKey] {
        switch ConfigurationShape.keys.first(where: { $0.name == name })?.shape {
        case .table(let keys), .list(.table(let keys), _, _): keys
        default: []
        }
    }

    @Test("The shape has exactly the top-level keys that the reader accepts")
    func topKeys() {
        let known = Self.known("zzzzzzzzzzzz: 1", at: "zzzzzzzzzzzz")
        #expect(known == Set(ConfigurationShape.keys.map(\.name)))
    }

    @Test(
        "The shape of each table has exactly the keys that its reader accepts",
        arguments: ["log", "limits", "drain", "resume", "tls", "cluster"])
    func tableKeys(table: String) {
        let known = Self.known("\(table): { zzzzzzzzzzzz: 1 }", at: "\(table).zzzzzzzzzzzz")
        #expect(known == Set(Self.keys(table).map(\.name)))
        let token = Self.known("tokens: [{ zzzzzzzzzzzz: 1 }]", at: "tokens[0].zzzzzzzzzzzz")
        #expect(token == Set(Self.keys("tokens").map(\.name)))
    }

    @Test("The shape of `tls` of a cluster has exactly the keys that its reader accepts")
    func clusterKeys() {
        let known = Self.known(
            "cluster: { tls: { zzzzzzzzzzzz: 1 } }", at: "cluster.tls.zzzzzzzzzzzz")
        guard case .table(let keys)? = Self.keys("cluster")["tls"]?.shape else {
            Issue.record("cluster.tls has no table of keys")
            return
        }
        #expect(known == Set(keys.map(\.name)))
    }

    @Test("The shape of `auth` has exactly the keys of all its modes")
    func authKeys() {
        var known: Set<String> = []
        for mode in AuthMode.allCases {
            known.formUnion(
                Self.known(
                    "auth: { mode: \(mode.rawValue), zzzzzzzzzzzz: 1 }", at: "auth.zzzzzzzzzzzz"))
        }
        #expect(known == Set(Self.keys("auth").map(\.name)))
    }

    @Test("The shape of each table within a feed has exactly the keys that its reader accepts")
    func innerKeys() {
        for name in ["retry", "breaker", "cache"] {
            let known = Self.known(
                "feeds: { a: { backend: worker, paging: none, \(name): { zzzzzzzzzzzz: 1 } } }",
                at: "feeds.a.\(name).zzzzzzzzzzzz")
            guard case .table(let keys)? = BackendKind.worker.table.standalone[name]?.shape else {
                Issue.record("\(name) has no table of keys")
                continue
            }
            #expect(known == Set(keys.map(\.name)))
        }
        let known = Self.known(
            "feeds: { a: { backend: script, paging: page, steps: [{ hang: true, zzzzzzzzzzzz: 1 }] } }",
            at: "feeds.a.steps[0].zzzzzzzzzzzz")
        let steps = BackendKind.script.table.standalone["steps"]?.shape
        guard case .list(.table(let keys), _, _)? = steps else {
            Issue.record("steps have no table")
            return
        }
        #expect(known == Set(keys.map(\.name)))
    }

    // MARK: Reading

    /// Returns a value that no reader of this shape accepts.
    private static func wrong(_ shape: SettingsShape) -> String {
        switch shape {
        case .integer, .number, .boolean, .text, .choice: "[]"
        case .list: "{}"
        case .table, .named, .either: "5"
        case .json: "1e999"
        }
    }

    /// Gives each key of a table a wrong value, and expects that a problem is reported at that key.
    /// For a key, `others` returns the other keys that the table must contain.
    private static func expectRead(
        _ table: [SettingsKey], at path: String, others: (SettingsKey) -> String = { _ in "" },
        in file: (String) -> String
    ) {
        for key in table {
            let required = table.filter { $0.isRequired && $0.name != key.name }
                .map { ", \($0.name): word" }
            let rest = others(key).isEmpty ? required.joined() : others(key)
            let text = file("{ \(key.name): \(wrong(key.shape))\(rest) }")
            let place = path.isEmpty ? key.name : "\(path).\(key.name)"
            let isReported = problems(text).contains {
                $0.key == place && !$0.message.hasPrefix("unknown key")
            }
            #expect(isReported, "\(place) in \(text)")
            if case .table(let inner) = key.shape {
                expectRead(inner, at: place) { text in
                    file("{ \(key.name): \(text)\(rest) }")
                }
            }
        }
    }

    @Test("A wrong value of a key is reported at that key")
    func isRead() {
        let top = ConfigurationShape.keys.filter { $0.name != "auth" }
        Self.expectRead(top, at: "") { $0 }
        for mode in AuthMode.allCases {
            let keys = AuthShape.keys(of: mode).filter { $0.name != "mode" }
            Self.expectRead(keys, at: "auth", others: { _ in ", mode: \(mode.rawValue)" }) {
                "auth: \($0)"
            }
        }
        Self.expectRead([AuthShape.mode], at: "auth") { "auth: \($0)" }
        Self.expectRead(Self.keys("tokens"), at: "tokens[0]") { "tokens: [\($0)]" }
        let resume = Self.keys("resume")
        guard case .list(.table(let seal), _, _)? = resume["keys"]?.shape else {
            Issue.record("resume.keys has no table of keys")
            return
        }
        Self.expectRead(seal, at: "resume.keys[0]") { "resume: { keys: [\($0)] }" }
        Self.expectRead(ConfigurationShape.indicator, at: "indicators.a") {
            "indicators: { a: \($0) }"
        }
    }

    @Test(
        "A wrong value of a key of a feed or a backend is reported at that key",
        arguments: BackendKind.allCases)
    func isRead(kind: BackendKind) {
        let table = kind.table
        Self.expectRead([FeedTable.source], at: "feeds.a") { "feeds: { a: \($0) }" }
        Self.expectRead(
            table.ofFeed + table.ofBackend, at: "feeds.a",
            others: { _ in ", backend: \(kind.rawValue)" }
        ) { "feeds: { a: \($0) }" }
        Self.expectRead([FeedTable.kind], at: "backends.b") { "backends: { b: \($0) }" }
        Self.expectRead(
            table.ofFeed + table.ofBackend, at: "backends.b",
            others: { _ in ", kind: \(kind.rawValue)" }
        ) { "backends: { b: \($0) }" }
        Self.expectRead(
            table.ofFeed, at: "feeds.a", others: { _ in ", backend: b" }
        ) { "backends: { b: { kind: \(kind.rawValue) } }\nfeeds: { a: \($0) }" }
    }

    @Test("A wrong value of a key in a step of a script is reported at that key")
    func isStepRead() {
        let steps = BackendKind.script.table.ofFeed["steps"]?.shape
        guard case .list(.table(let keys), _, _)? = steps else {
            Issue.record("steps have no table")
            return
        }
        let ends: Set = ["items", "generate", "fail", "raw", "hang"]
        Self.expectRead(
            keys, at: "feeds.a.steps[0]",
            others: { key in
                if ends.contains(key.name) { return " " }
                if key.name == "retryAfterMs" { return ", fail: backendBusy" }
                return ["afterMs", "progress"].contains(key.name) ? ", hang: true" : ", items: []"
            }
        ) { "feeds: { a: { backend: script, paging: page, steps: [\($0)] } }" }
    }

    // MARK: Meanings and defaults

    /// Returns every key of a shape with its path.
    private static func all(_ shape: SettingsShape, at place: String) -> [(String, SettingsKey)] {
        switch shape {
        case .table(let keys):
            keys.flatMap { key in
                [("\(place).\(key.name)", key)] + all(key.shape, at: "\(place).\(key.name)")
            }
        case .list(let item, _, _): all(item, at: place)
        case .named(let value, _): all(value, at: place)
        case .either(let shapes): shapes.flatMap { all($0, at: place) }
        default: []
        }
    }

    @Test("Every key has a meaning, and no meaning ends with a full stop")
    func meanings() {
        let keys = Self.all(.table(ConfigurationShape.keys), at: "")
        #expect(keys.count > 300)
        for (place, key) in keys {
            let meaning = key.meaning ?? ""
            #expect(!meaning.isEmpty && !meaning.hasSuffix("."), "\(place): \(meaning)")
        }
    }

    /// Returns the default that the shape states for the key at `path`.
    private static func standard(_ path: [String], kind: BackendKind?) -> String? {
        var keys = ConfigurationShape.keys
        var found: SettingsKey?
        for name in path {
            if let kind, name == "a" {
                keys = kind.table.standalone
                continue
            }
            found = keys.first { $0.name == name }
            if case .table(let inner)? = found?.shape { keys = inner }
        }
        return found?.standard
    }

    @Test(
        "The defaults of the shape equal the values of a configuration that does not set the keys",
        arguments: [
            ("limits: {}", nil), ("cluster: { name: a, servers: \"nats://b\" }", nil),
            ("auth: { mode: http, url: \"http://127.0.0.1/\" }", nil),
            ("feeds: { a: { backend: demo } }", BackendKind.demo),
            ("feeds: { a: { backend: file, path: a.json, paging: page } }", .file),
            ("feeds: { a: { backend: http, url: \"http://127.0.0.1/\", paging: page } }", .http),
            ("feeds: { a: { backend: sqlite, path: a, query: SELECT 1, paging: page } }", .sqlite),
            ("feeds: { a: { backend: exec, command: [/bin/cat], paging: page } }", .exec),
            (
                "feeds: { a: { backend: worker, paging: page, cache: { lifetimeMs: 1 } } }",
                .worker
            ),
            ("feeds: { a: { backend: script, paging: page, steps: [{ hang: true }] } }", .script),
        ] as [(String, BackendKind?)])
    func standards(text: String, kind: BackendKind?) throws {
        let file = try ConfigurationFile(text: text, path: "refreshd.yaml")
        let effective = EffectiveValues(of: try Configuration(file: file)).byPath
        var reportedCount = 0
        for (path, value) in effective where kind == nil || path.dropFirst().first == "a" {
            // The keys of this list have no fixed default: they are required, or their default
            // depends on other settings.
            let name = path.last ?? ""
            guard !["origins", "first", "folder", "mode", "lifetimeMs"].contains(name) else {
                continue
            }
            guard kind != nil || path.first != "feeds" else { continue }
            guard path.first != "backends" else { continue }
            let own = name == "listen" ? "[\(Self.standard(path, kind: kind) ?? "")]" : nil
            let standard = own ?? Self.standard(path, kind: kind) ?? ""
            // Quotation marks are not compared, because a word has the same meaning with and
            // without them.
            #expect(
                standard.filter { $0 != "\"" } == value.filter { $0 != "\"" }, "\(path)")
            reportedCount += 1
        }
        #expect(reportedCount >= 8, "\(effective)")
    }

    // MARK: Ranges

    private static func isRefused(_ text: String, _ key: String) -> Bool {
        problems(text).contains { $0.key == key && $0.message.contains("is out of range") }
    }

    @Test("The range of each scalar key equals the range that its reader accepts")
    func ranges() throws {
        var count = 0
        for key in ScalarKey.all {
            var shape = ConfigurationShape.keys.first { $0.name == key.path[0] }?.shape
            if key.path.count == 2 {
                shape = Self.keys(key.path[0]).first { $0.name == key.path[1] }?.shape
            }
            guard case .integer(let range)? = shape else { continue }
            func text(_ value: Int) -> String {
                if key.path[0] == "auth" {
                    // The mode must be one that has the key. `authDeadlineMs` is set to its
                    // maximum, because it also restricts `deadlineMs`.
                    let mode = key.path[1] == "skewMs" ? "jwt" : "http"
                    return "limits: { authDeadlineMs: 60000 }\n"
                        + "auth: { mode: \(mode), \(key.path[1]): \(value) }"
                }
                return key.path.reversed().reduce("\(value)") { "{ \($1): \($0) }" }
            }
            count += 1
            #expect(!Self.isRefused(text(range.lowerBound), key.name), "\(key.name)")
            #expect(!Self.isRefused(text(range.upperBound), key.name), "\(key.name)")
            #expect(Self.isRefused(text(range.lowerBound - 1), key.name), "\(key.name)")
            #expect(Self.isRefused(text(range.upperBound + 1), key.name), "\(key.name)")
        }
        #expect(count >= Limits.all.count + 4)
    }

    @Test("Each feed key has the range that its reader accepts", arguments: BackendKind.allCases)
    func feedRanges(kind: BackendKind) {
        func isRefused(_ key: String, _ value: Int) -> Bool {
            let path = key.split(separator: ".")
            let setting = path.reversed().reduce("\(value)") { "{ \($1): \($0) }" }
                .dropFirst(2).dropLast(2)
            let text = """
                limits: { pageSizeMax: 100000, backendResponseBytesMax: 1073741824 }
                feeds: { a: { backend: \(kind.rawValue), \(setting) } }
                """
            return Self.isRefused(text, "feeds.a.\(key)")
        }
        func check(_ key: String, _ shape: SettingsShape) {
            if case .table(let keys) = shape {
                for inner in keys { check("\(key).\(inner.name)", inner.shape) }
            }
            guard case .integer(let range) = shape else { return }
            #expect(!isRefused(key, range.lowerBound), "\(key)")
            #expect(!isRefused(key, range.upperBound), "\(key)")
            #expect(isRefused(key, range.lowerBound - 1), "\(key)")
            #expect(isRefused(key, range.upperBound + 1), "\(key)")
        }
        for key in kind.table.standalone { check(key.name, key.shape) }
    }
}
