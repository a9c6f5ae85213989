@testable import RefreshConfiguration

/// SplitMix64: a random number generator with the same numbers for the same seed on every system.
struct ConfigurationGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A random configuration file. Its keys and values are chosen at random from those that
/// `ConfigurationShape` allows. Some files are not valid, because the shape does not contain the
/// rules that concern several keys.
struct GeneratedConfiguration {
    private var generator: ConfigurationGenerator

    /// The text that all secret values contain.
    static let secret = "s3cr3t"

    /// Values for keys whose values need a form that the shape does not describe completely.
    private static let texts: [String: [String]] = [
        "url": ["\"http://127.0.0.1:9/a?page={page}&key=\(secret)\""],
        // A stream of changes has no placeholders.
        "changes.url": ["\"http://127.0.0.1:9/c?key=\(secret)\""],
        "proxy": ["\"http://127.0.0.1:8\""],
        "items": ["/items", "/a/b~1c"], "more": ["/more"], "next": ["/next", "link"],
        "total": ["/total"], "itemKey": ["/id", "\"/a b\""], "sectionKey": ["/day"],
        "path": ["list.json", "\"a list.csv\""], "query": ["SELECT 1 AS n"],
        "count": ["\"SELECT 1\""], "folder": ["work", "/"],
        "forward": ["[accept-language, x-tenant]"], "parameters": ["[q]", "{ q: integer }", "[]"],
        "method": ["POST"], "connectTimeoutMs": ["1", "400"],
        "totalTimeoutMs": ["10000", "600000"],
        "restartBaseMs": ["1", "90"], "restartCapMs": ["100", "3600000"],
        "command": ["[/bin/cat, \"-\", \"a b\", '']"],
        "environment": ["{ KEY: \(secret), A: \"\(secret) b\" }"],
        "headers": ["{ Authorization: \"Bearer \(secret)\", X-Empty: '' }"],
        "body": [
            "{ a: null, b: \"null\", c: [1, '2', 3.5e1, true, ~], d: \"ä\\n{{\", e: yes, \"1\": {} }",
            "[]", "\"{page}\"", "12",
        ],
        "steps": [
            "[{ generate: 12, afterMs: 5 }, { items: [{ id: 1, n: null }], more: true }]",
            "[{ fail: backendBusy, retryAfterMs: 9 }, { raw: \"{}\\n\" }, { hang: true }]",
        ],
        "auth": [
            "{ mode: none }",
            "{ mode: http, url: \"http://127.0.0.1:9/?k=\(secret)\", calls: 3, forward: [cookie] }",
        ],
        "proxies": ["[10.0.0.0/8, \"::1\"]", "[]"],
        "resume": ["{ snapshots: false }", "{ stateFolder: \"a b\" }", "{}"],
        "origins": ["[\"https://a.example\", \"http://b.example:81\"]", "[]"],
        "listen": ["\"127.0.0.1:0\"", "[localhost:81, \"[::1]:0\"]"], "admin": ["\"[::1]:9\""],
        "keys": ["[{ id: k2, file: k2.key }, { id: k1, file: /k1.key }]"],
        "journal": ["journals", "\"/var/lib/a b\""],
        "tokens": [
            "[{ name: t, sha256: \"\(String(repeating: "5ec2e7", count: 10))0000\", may: [change] }]"
        ],
    ]

    /// The keys of the file that are not generated from their shape.
    private static let others = [
        "cluster", "feeds", "backends", "indicators", "limits", "tls",
    ]

    private static let clusters = [
        "{ name: production, servers: [nats://10.0.0.1:4222, \"nats://[fd00::1]\"] }",
        "{ name: a-b_1, servers: \"tls://bus.example.org\", node: web.1, connectTimeoutMs: 100 }",
    ]

    init(seed: UInt64) { generator = ConfigurationGenerator(seed: seed) }

    /// The text of the file.
    mutating func text() -> String {
        var lines: [String] = []
        for key in ConfigurationShape.keys {
            guard !Self.others.contains(key.name), chance(2) else { continue }
            lines.append("\(key.name): \(value(of: key))")
        }
        if chance(2), let text = Self.clusters.randomElement(using: &generator) {
            lines.append("cluster: \(text)")
        }
        // Limits that restrict other keys get large values.
        lines.append(
            "limits: { pageSizeMax: 100000, backendResponseBytesMax: 1073741824, sessionsMax: \(Int.random(in: 1...9, using: &generator)) }"
        )
        lines.append("backends:")
        for kind in BackendKind.allCases {
            lines.append("  \(kind.rawValue)s: \(backend(kind))")
        }
        lines.append("feeds:")
        for kind in BackendKind.allCases {
            lines.append("  own-\(kind.rawValue): \(feed(kind, of: nil))")
            lines.append("  of.\(kind.rawValue): \(feed(kind, of: kind.rawValue + "s"))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private mutating func chance(_ one: Int) -> Bool {
        Int.random(in: 0..<one, using: &generator) == 0
    }

    private mutating func backend(_ kind: BackendKind) -> String {
        let members = kind.table.ofBackend.compactMap { key -> String? in
            guard key.name == "command" || chance(3) else { return nil }
            return member(key)
        }
        return "{ " + (["kind: \(kind.rawValue)"] + members).joined(separator: ", ") + " }"
    }

    private mutating func feed(_ kind: BackendKind, of backend: String?) -> String {
        var members = ["backend: \(backend ?? kind.rawValue)"]
        let keys = backend == nil ? kind.table.standalone : kind.table.member
        var needed = ["paging", "url", "path", "query", "command", "steps"]
        // A feed with edits needs the key of its items.
        if keys.contains(where: { $0.name == "edits" }) { needed.append("itemKey") }
        for key in keys where key.name != "backend" {
            if needed.contains(key.name) || (chance(3) && !["after", "ca"].contains(key.name)) {
                members.append(key.name == "edits" ? Self.edits(kind) : member(key))
            }
        }
        return "{ " + members.joined(separator: ", ") + " }"
    }

    private static func edits(_ kind: BackendKind) -> String {
        let url = kind == .http ? ", url: \"http://127.0.0.1:9/e?key=\(secret)\"" : ""
        return "edits: { operations: [insert, remove]\(url) }"
    }

    private mutating func member(_ key: SettingsKey) -> String {
        // Paging by `cursor` or `none` would require other keys.
        if key.name == "paging" { return "paging: page" }
        return "\(key.name): \(value(of: key))"
    }

    private mutating func value(of key: SettingsKey) -> String {
        if let texts = Self.texts[key.name], let text = texts.randomElement(using: &generator) {
            return text
        }
        switch key.shape {
        case .integer(let range):
            if chance(6) { return "\(range.upperBound)" }
            let high = min(range.upperBound, max(range.lowerBound, 2000))
            return "\(Int.random(in: range.lowerBound...high, using: &generator))"
        case .boolean: return chance(2) ? "true" : "false"
        case .choice(let words): return words.randomElement(using: &generator) ?? "\"\""
        case .table(let keys):
            let members = keys.compactMap { inner -> String? in
                guard inner.isRequired || chance(2) else { return nil }
                let texts = Self.texts["\(key.name).\(inner.name)"]
                return "\(inner.name): \(texts?.first ?? value(of: inner))"
            }
            return members.isEmpty ? "{}" : "{ " + members.joined(separator: ", ") + " }"
        default: return "word"
        }
    }
}
