import Foundation
import Testing
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer

@Suite("Differences between configurations")
struct ConfigurationDifferenceTests {
    private static func layers(_ text: String, in folder: String = "/etc") throws
        -> LayeredConfiguration
    {
        try LayeredConfiguration(text: text, path: folder + "/refreshd.yaml")
    }

    private static func differences(_ old: String, _ new: String) throws -> [String] {
        try ConfigurationDifference.between(layers(old), layers(new)).map {
            "\($0.name): \($0.old ?? "none") -> \($0.new ?? "none")"
                + ($0.needsRestart ? " (restart)" : "")
        }
    }

    @Test("Each changed option is named with its old and its new value")
    func options() throws {
        #expect(
            try Self.differences(
                "limits: { sessionsMax: 5 }\nlog: { level: info }",
                "limits: { sessionsMax: 6 }\nlog: { level: debug }\ndrain: { spreadMs: 1 }") == [
                    "drain.spreadMs: 2000 -> 1", "limits.sessionsMax: 5 -> 6",
                    "log.level: info -> debug",
                ])
    }

    @Test("Each value of an added or removed feed is named")
    func feeds() throws {
        let a = "backend: worker, paging: none"
        let differences = try Self.differences(
            "feeds: { a: { \(a) } }", "feeds: { b: { \(a), size: 7 } }")
        #expect(differences.contains("feeds.b.backend: none -> worker"))
        #expect(differences.contains("feeds.b.size: none -> 7"))
        #expect(differences.contains("feeds.a.backend: worker -> none"))
        #expect(try Self.differences("feeds: { a: { \(a) } }", "feeds:\n  a:\n    { \(a) }") == [])
    }

    @Test("If the content of a named file has changed, the option that names it is a difference")
    func files() throws {
        let text = Data([UInt8](repeating: 7, count: 32)).base64EncodedString()
        let key = try TemporaryFile("a.key", text)
        let secret = try TemporaryFile("secret", String(repeating: "s", count: 32))
        let authority = try TemporaryFile("ca.pem", "-----BEGIN CERTIFICATE-----\n1\n")
        let yaml = """
            auth: { mode: jwt, algorithms: [HS256], secretFile: \(secret.path), audience: a }
            resume: { keys: [{ id: k1, file: \(key.path) }] }
            feeds: { a: { backend: http, url: "https://h/{page}", paging: page, ca: \(authority.path) } }
            """
        let before = try Self.layers(yaml)
        #expect(ConfigurationDifference.between(before, try Self.layers(yaml)).isEmpty)
        // If a backend must be created again, its identity differs.
        let feed = try #require(before.configuration.feeds.first { $0.name == "a" })
        let identity = BackendIdentity(of: feed, in: before.configuration)
        #expect(identity == BackendIdentity(of: feed, in: before.configuration))
        try Data((text + "\n").utf8).write(to: URL(filePath: key.path))
        try Data(String(repeating: "t", count: 32).utf8).write(to: URL(filePath: secret.path))
        try Data("-----BEGIN CERTIFICATE-----\n2\n".utf8).write(
            to: URL(filePath: authority.path))
        let after = try Self.layers(yaml)
        let names = ["auth.secretFile", "feeds.a.ca", "resume.keys[0].file"]
        #expect(
            ConfigurationDifference.between(before, after)
                == names.map {
                    ConfigurationDifference(
                        name: $0, old: "the previous file", new: "the current file",
                        needsRestart: false)
                })
        #expect(identity != BackendIdentity(of: feed, in: before.configuration))
    }

    @Test("A change that requires a restart is marked")
    func restart() throws {
        #expect(
            try Self.differences(
                "loops: 1",
                "loops: 2\nlisten: 127.0.0.1:1\njournal: j\nlog: { format: json }\n"
                    + "limits: { workersMax: 1, sessionsMax: 1 }") == [
                    "listen: [\"127.0.0.1:8080\"] -> \"127.0.0.1:1\" (restart)",
                    "loops: 1 -> 2 (restart)", "limits.sessionsMax: 20000 -> 1",
                    "limits.workersMax: 64 -> 1 (restart)",
                    "log.format: text -> json (restart)", "journal: none -> j (restart)",
                ])
    }

    @Test("A change of any key of a cluster requires a restart, and so does adding a cluster")
    func cluster() throws {
        let servers = "servers: [\"nats://b\"]"
        #expect(
            try Self.differences("{}", "cluster: { name: a, \(servers) }") == [
                "cluster.name: none -> a (restart)",
                "cluster.servers: none -> [\"nats://b\"] (restart)",
                "cluster.connectTimeoutMs: none -> 2000 (restart)",
            ])
        #expect(
            try Self.differences(
                "cluster: { name: a, \(servers) }", "cluster: { name: c, \(servers), node: n }")
                == ["cluster.name: a -> c (restart)", "cluster.node: none -> n (restart)"])
        #expect(
            try Self.differences(
                "cluster: { name: a, \(servers) }", "cluster: { name: a, servers: nats://B:4222 }")
                == [])
        let authority = try TemporaryFile("ca.pem", "-----BEGIN CERTIFICATE-----\n1\n")
        #expect(
            try Self.differences(
                "cluster: { name: a, servers: tls://b }",
                "cluster: { name: a, servers: tls://b, tls: { ca: \(authority.path) } }") == [
                    "cluster.tls.ca: none -> \(authority.path) (restart)"
                ])
    }

    @Test("A changed file of a cluster is a difference that states when it takes effect")
    func clusterFiles() throws {
        let seed = try TemporaryFile("a.nk", ClusterFiles.seed)
        let password = try TemporaryFile("password", "one")
        for (file, option, member, delay) in [
            (seed, "nkey", "nkey: \(seed.path)", "at the next connection"),
            (
                password, "passwordFile", "user: u, passwordFile: \(password.path)",
                "after a restart"
            ),
        ] {
            let yaml = "cluster: { name: a, servers: nats://b, \(member) }"
            let before = try Self.layers(yaml)
            #expect(ConfigurationDifference.between(before, try Self.layers(yaml)).isEmpty)
            try file.write(file === seed ? ClusterFiles.seed + "\n" : "two")
            #expect(
                ConfigurationDifference.between(before, try Self.layers(yaml)) == [
                    ConfigurationDifference(
                        name: "cluster.\(option)", old: "the previous file",
                        new: "the current file, \(delay)", needsRestart: false)
                ])
        }
    }

    @Test("Two texts of the same configuration have no differences")
    func equivalentText() throws {
        #expect(
            try Self.differences(
                "listen: 127.0.0.1:8080\norigins: [\"https://a\", \"https://b\"]\nlimits: {}",
                "origins: [\"https://b:443\", \"https://a\"]\nlog: { level: info }") == [])
    }

    @Test("Secrets are not output, even if they differ")
    func secrets() throws {
        func text(_ digit: String) -> String {
            let hash = String(repeating: digit, count: 64)
            return "tokens: [{ name: t, sha256: \"\(hash)\", may: [work] }]"
        }
        #expect(
            try Self.differences(text("1"), text("2")) == [
                #"tokens: [{ name: t, sha256: "***", may: [work] }] -> changed"#
            ])
    }

    @Test("An indicator whose file has changed is a difference")
    func programme() throws {
        let folder = try ExampleFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = "indicators: { hello: { file: hello.json } }"
        let old = try Self.layers(text, in: folder.path)
        #expect(try ConfigurationDifference.between(old, Self.layers(text, in: folder.path)) == [])
        try Data(#"{"letters":{"text":"BYE"}}"#.utf8)
            .write(to: folder.appendingPathComponent("hello.json"))
        let differences = try ConfigurationDifference.between(
            old, Self.layers(text, in: folder.path))
        #expect(differences.map(\.name) == ["indicators.hello"])
        #expect(differences.allSatisfy { !$0.needsRestart })
    }
}
