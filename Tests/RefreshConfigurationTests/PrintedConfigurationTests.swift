import Foundation
import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshConfiguration

@Suite("The printed configuration")
struct PrintedConfigurationTests {
    private static let path = "/etc/refreshd/refreshd.yaml"

    private static func layers(
        _ text: String, path: String = path, flags: ConfigurationFlags = ConfigurationFlags(),
        environment: [String: String] = [:]
    ) throws -> LayeredConfiguration {
        try LayeredConfiguration(text: text, path: path, flags: flags, environment: environment)
    }

    private static func lines(_ layers: LayeredConfiguration) -> [String] {
        layers.listing.text().split(separator: "\n").map(String.init)
    }

    @Test("Each value is printed with its origin: flag, environment, file or default")
    func origins() throws {
        var flags = ConfigurationFlags()
        flags.logFormat = .json
        flags.listeners = [try ListenAddress("[::1]:0")]
        flags.servesEcho = true
        let lines = Self.lines(
            try Self.layers(
                "loops: 2\nlisten: 127.0.0.1:1\nlimits: { sessionsMax: 5 }", flags: flags,
                environment: ["REFRESHD_DRAIN_DELAYMS": "3"]))
        for line in [
            "# --conformance-echo  # flag", "listen: [\"[::1]:0\"]  # flag", "loops: 2  # file",
            "demo: false  # default", "  delayMs: 3  # environment", "  spreadMs: 2000  # default",
            "  sessionsMax: 5  # file", "  level: info  # default", "  format: json  # flag",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        #expect(!lines.contains { $0.contains("127.0.0.1:1") })
    }

    @Test("Without settings, all values are printed as defaults, some of them as comments")
    func standard() throws {
        let lines = Self.lines(try LayeredConfiguration())
        #expect(lines.first == "# loops: one per core  # default")
        #expect(lines.contains("listen: [\"127.0.0.1:8080\"]  # default"))
        #expect(lines.contains("demo: true  # default"))
        #expect(lines.contains("# --dpkg-status /var/lib/dpkg/status  # default"))
        #expect(lines.allSatisfy { $0.hasSuffix("# default") || $0.hasSuffix(":") })
        for entry in Limits.all {
            let value = Limits()[keyPath: entry.path]
            #expect(lines.contains("  \(entry.name): \(value)  # default"))
        }
    }

    @Test("The keys of a feed are printed at the feed, and those of its backend at the backend")
    func feeds() throws {
        let lines = Self.lines(
            try Self.layers(
                """
                limits: { pageSizeMax: 7 }
                backends: { shop: { kind: http, connectTimeoutMs: 20000, calls: 3 } }
                feeds:
                  a: { backend: shop, paging: offset, url: "http://127.0.0.1/{offset}" }
                """))
        let start = try #require(lines.firstIndex(of: "backends:"))
        #expect(
            Array(lines[start...].prefix(6)) == [
                "backends:", "  shop:", "    kind: http  # file",
                "    connectTimeoutMs: 20000  # file", "    calls: 3  # file",
                "    queue: 256  # default",
            ])
        let feed = try #require(lines.firstIndex(of: "  a:"))
        #expect(
            Array(lines[feed...].prefix(5)) == [
                "  a:", "    backend: shop  # file", "    paging: offset  # file",
                "    first: 0  # default", "    size: 7  # default",
            ])
        #expect(lines[feed...].contains("    totalTimeoutMs: 20000  # default"))
        #expect(!lines[feed...].contains { $0.contains("connectTimeoutMs") })
    }

    @Test("In the printed configuration, only the secrets are masked")
    func secrets() throws {
        let hash = String(repeating: "ab", count: 32)
        let text = """
            tokens: [{ name: t, sha256: \(hash), may: [work] }]
            feeds:
              a:
                backend: http
                paging: page
                url: "http://127.0.0.1:9/x?page={page}&key=hush&q=a{size}b"
                headers: { Authorization: Bearer hush }
                method: POST
                body: { page: "{page}", key: hush }
              b: { backend: exec, paging: none, command: [/bin/cat, hush], environment: { K: hush } }
              c: { backend: http, paging: none, url: "http://127.0.0.1:9/hooks/hush/list" }
            """
        let layers = try Self.layers(text)
        let printed = layers.listing.text()
        for secret in ["hush", hash] { #expect(!printed.contains(secret)) }
        #expect(
            printed.contains(
                #"url: "http://127.0.0.1:9/***?page={page}&key=***&q=***{size}***"  # file"#))
        for masked in [
            #"body: "***"  # file"#, #"command: "***"  # file"#,
            #"url: "http://127.0.0.1:9/***"  # file"#,
        ] {
            #expect(printed.contains(masked), "\(masked) in \(printed)")
        }
        #expect(printed.contains(#"headers: { Authorization: "***" }  # file"#))
        #expect(printed.contains(#"environment: { K: "***" }  # file"#))
        #expect(printed.contains(#"tokens: [{ name: t, sha256: "***", may: [work] }]  # file"#))
        #expect(layers.listing.text(masks: false).contains("hush"))
    }

    @Test("The values of tls, proxies, auth and resume are printed with masked secrets")
    func access() throws {
        let pair = try CertificateFolder().make("printed")
        let lines = Self.lines(
            try Self.layers(
                """
                tls: { certificate: \(pair.certificate), key: \(pair.key) }
                proxies: [10.0.0.0/8, "fd00::/8"]
                journalOnRequest: journals
                auth: { mode: http, url: "http://127.0.0.1:9/who?key=hush" }
                resume: { snapshots: false }
                """))
        for line in [
            "  certificate: \(pair.certificate)  # file", "  key: \(pair.key)  # file",
            #"proxies: [10.0.0.0/8, "fd00::/8"]  # file"#, "journalOnRequest: journals  # file",
            "  mode: http  # file", #"  url: "http://127.0.0.1:9/***?key=***"  # file"#,
            "  deadlineMs: 1000  # default", "  calls: 64  # default",
            "  forward: []  # default", "  snapshots: false  # file",
        ] {
            #expect(lines.contains(line), "\(line) in \(lines)")
        }
        #expect(!lines.contains { $0.contains("hush") })
        let standard = Self.lines(try Self.layers("loops: 1"))
        #expect(standard.contains("auth:") && standard.contains("  mode: none  # default"))
        #expect(standard.contains("  snapshots: true  # default"))
        #expect(!standard.contains { $0.hasPrefix("tls") || $0.hasPrefix("proxies") })
    }

    @Test(
        "In a URL, the user and the literal text of the path and of the query are masked",
        arguments: [
            ("http://h", "http://h"), ("http://h/", "http://h/"), ("http://h/p", "http://h/***"),
            ("http://u@h/p@q", "http://***@h/***"), ("http://h/a/{q}/b", "http://h/***{q}***"),
            ("http://h/{{p}}", "http://h/***"),
            ("http://h/{page}?x", "http://h/{page}?***"),
            ("http://h?a=&b={cursor}", "http://h?a=&b={cursor}"),
            ("u:p@h:80", "***@h:80"), ("http://h/#key", "http://h/"),
            ("http://h?a={{b", "http://h?a=***"),
            ("http://h?a={b", "http://h?a=***"), ("", ""),
        ])
    func address(url: String, masked: String) {
        #expect(MaskedAddress.of(url) == masked)
    }

    // MARK: Reading the printed configuration

    /// Expects that two configurations are equal. Only the lines at which the feeds stand may
    /// differ.
    private static func expectSame(
        _ one: Configuration, _ other: Configuration, _ comment: Comment,
        _ location: SourceLocation = #_sourceLocation
    ) {
        func placeless(_ feeds: [FeedSettings]) -> [FeedSettings] {
            feeds.map { feed in
                var feed = feed
                feed.location = nil
                return feed
            }
        }
        #expect(placeless(one.feeds) == placeless(other.feeds), comment, sourceLocation: location)
        #expect(one.limits == other.limits, comment, sourceLocation: location)
        #expect(one.listeners == other.listeners, comment, sourceLocation: location)
        #expect(one.adminListeners == other.adminListeners, comment, sourceLocation: location)
        #expect(one.tokens == other.tokens, comment, sourceLocation: location)
        #expect(one.loops == other.loops, comment, sourceLocation: location)
        #expect(one.servesDemo == other.servesDemo, comment, sourceLocation: location)
        #expect(one.origins == other.origins, comment, sourceLocation: location)
        #expect(one.drain == other.drain, comment, sourceLocation: location)
        #expect(one.log == other.log, comment, sourceLocation: location)
        #expect(one.cluster == other.cluster, comment, sourceLocation: location)
        #expect(one.journalFolder == other.journalFolder, comment, sourceLocation: location)
        #expect(
            one.requestedJournalFolder == other.requestedJournalFolder, comment,
            sourceLocation: location)
        // If a backend has no policy, the default policy applies.
        for group in Set(one.backendPolicies.keys).union(other.backendPolicies.keys) {
            #expect(
                one.backendPolicies[group] ?? BackendPolicy()
                    == other.backendPolicies[group] ?? BackendPolicy(),
                comment, sourceLocation: location)
        }
        #expect(one.indicators == other.indicators, comment, sourceLocation: location)
    }

    private static func expectReadBack(
        _ layers: LayeredConfiguration, path: String, _ comment: Comment
    ) throws {
        let printed = layers.listing.text(masks: false)
        let again = try Self.layers(printed, path: path)
        expectSame(layers.configuration, again.configuration, comment)
        let values = Dictionary(
            uniqueKeysWithValues: again.listing.entries.map { ($0.path, $0.value) })
        for entry in layers.listing.entries {
            #expect(values[entry.path] == entry.value, comment)
        }
        #expect(again.listing.entries.allSatisfy { $0.origin == .file }, comment)
    }

    @Test(
        "The printed form of an example is read as the same configuration",
        arguments: ConfigurationExampleTests.examples)
    func examples(example: ConfigurationExample) throws {
        let folder = try ExampleFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        for text in example.files {
            let path = folder.path + "/refreshd.yaml"
            try Self.expectReadBack(Self.layers(text, path: path), path: path, "\(text)")
        }
    }

    @Test("The printed form of a random configuration is read as the same, and has no secrets")
    func generated() throws {
        var valid = 0
        for seed in UInt64(1)...60 {
            var generator = GeneratedConfiguration(seed: seed)
            let text = generator.text()
            let layers: LayeredConfiguration
            do { layers = try Self.layers(text) } catch { continue }
            valid += 1
            try Self.expectReadBack(layers, path: Self.path, "seed \(seed)")
            let printed = layers.listing.text()
            #expect(!printed.contains(GeneratedConfiguration.secret), "seed \(seed)")
            #expect(!printed.contains("5ec2e7"), "seed \(seed)")
        }
        #expect(valid >= 30, "only \(valid) of 60 are valid")
    }
}
