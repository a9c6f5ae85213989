import RefreshProtocol
import Testing
import WebSocketTransport

@testable import RefreshConfiguration

@Suite("Configuration")
struct ConfigurationTests {
    static func file(_ text: String) throws -> ConfigurationFile {
        try ConfigurationFile(text: text, path: "refreshd.yaml")
    }

    @Test("Without flags and a file, the demo is served on loopback")
    func defaults() throws {
        let configuration = try Configuration()
        #expect(configuration.listeners.map(\.description) == ["127.0.0.1:8080"])
        #expect(configuration.servesDemo)
        #expect(!configuration.servesEcho)
        #expect(configuration.feeds == [.demo, .uploads, .board, .messages, .log])
        #expect(configuration.loops == nil)
        #expect(configuration.limits == Limits())
        #expect(configuration.log == LogSettings(level: .info, format: .text))
        #expect(configuration.packageStatusFile == "/var/lib/dpkg/status")
        #expect(configuration.origins.isEmpty)
    }

    @Test("Flags override the file")
    func flagsWin() throws {
        var flags = ConfigurationFlags()
        flags.listeners = [try ListenAddress("127.0.0.1:1")]
        flags.loops = 2
        flags.logLevel = .error
        flags.logFormat = .text
        flags.packageStatusFile = "status"
        let configuration = try Configuration(
            flags: flags,
            file: Self.file(
                "listen: 0.0.0.0:80\nloops: 9\nlog: { level: trace, format: json }"))
        #expect(configuration.listeners.map(\.description) == ["127.0.0.1:1"])
        #expect(configuration.loops == 2)
        #expect(configuration.log == LogSettings(level: .error, format: .text))
        #expect(configuration.packageStatusFile == "status")
    }

    @Test("Admin listeners of the flags replace those of the file, and must be on loopback")
    func adminFlag() throws {
        var flags = ConfigurationFlags()
        flags.adminListeners = [try ListenAddress("127.0.0.1:9091")]
        let file = try Self.file("admin: 127.0.0.1:9090")
        #expect(
            try Configuration(flags: flags).adminListeners.map(\.description)
                == ["127.0.0.1:9091"])
        #expect(
            try Configuration(flags: flags, file: file).adminListeners == flags.adminListeners)
        flags.adminListeners = [try ListenAddress("0.0.0.0:9091")]
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(flags: flags, file: file)
        }
        #expect(error?.description.contains("--admin: 0.0.0.0:9091 can be reached") == true)
        flags.adminListeners = [.standard]
        #expect(throws: ConfigurationError.self) { try Configuration(flags: flags) }
    }

    @Test("Sessions are recorded only if `journal` is set. Its path may be relative to the file")
    func journal() throws {
        #expect(try Configuration().journalFolder == nil)
        func file(_ folder: String) throws -> ConfigurationFile {
            try ConfigurationFile(text: "journal: \(folder)", path: "/etc/refreshd/r.yaml")
        }
        #expect(try Configuration(file: file("j")).journalFolder == "/etc/refreshd/j")
        #expect(try Configuration(file: file("/var/j")).journalFolder == "/var/j")
        #expect(try Configuration(file: Self.file("journal: j")).journalFolder == "j")
        var flags = ConfigurationFlags()
        flags.journal = "here"
        #expect(try Configuration(flags: flags, file: file("/var/j")).journalFolder == "here")
    }

    @Test("With a configuration file, the demo is served only if a setting enables it")
    func demo() throws {
        let plain = try Self.file("feeds: {}")
        #expect(try Configuration(file: plain).servesDemo == false)
        #expect(try Configuration(file: plain).feeds.isEmpty)
        var flags = ConfigurationFlags()
        flags.demo = true
        let demo = try Configuration(flags: flags, file: plain)
        #expect(demo.servesDemo)
        #expect(demo.feeds == [.demo, .uploads, .board, .messages, .log])
        #expect(try Configuration(file: Self.file("demo: true")).servesDemo)
    }

    @Test("A configured feed with the name of a demo feed keeps its own settings")
    func ownDemoFeed() throws {
        let packages = try Self.file("demo: true\nfeeds: { packages: { backend: demo, size: 9 } }")
        #expect(try Configuration(file: packages).feeds.map(\.size) == [9, 10, 20, 20, 50])
        let uploads = try Self.file("demo: true\nfeeds: { uploads: { backend: demo, size: 9 } }")
        #expect(
            try Configuration(file: uploads).feeds.map(\.name)
                == ["uploads", "packages", "cards", "messages", "log"])
        #expect(try Configuration(file: uploads).feeds.first?.backend == .demo)
    }

    @Test("A backend with the name of a demo feed is refused")
    func backendNamedAsDemoFeed() throws {
        for name in ["packages", "uploads", "cards", "messages", "log"] {
            let file = try Self.file("demo: true\nbackends: { \(name): { kind: http } }")
            let error = #expect(throws: ConfigurationError.self) { try Configuration(file: file) }
            #expect(error?.description.contains("backends.\(name): a feed of the demo") == true)
        }
    }

    @Test("With proxies, `auth` is required even if all listeners are on loopback")
    func proxies() throws {
        let text = "listen: 127.0.0.1:8080\nproxies: [127.0.0.1]"
        let silent = #expect(throws: ConfigurationError.self) {
            try Configuration(file: Self.file(text))
        }
        #expect(silent?.exitStatus == .configuration)
        #expect(silent?.description.hasPrefix("auth is missing: clients on other machines") == true)
        let written = try Configuration(file: Self.file(text + "\nauth: { mode: none }"))
        #expect(written.proxies.contains("127.0.0.1"))
    }

    @Test(
        "A public listener requires a configuration file with `auth`",
        arguments: ["0.0.0.0:0", "[::]:80", "192.0.2.1:80", "[fe80::1]:80", "[::ffff:127.0.0.1]:1"]
    )
    func publicListener(address: String) throws {
        var flags = ConfigurationFlags()
        flags.listeners = [.standard, try ListenAddress(address)]
        let error = #expect(throws: ConfigurationError.self) { try Configuration(flags: flags) }
        #expect(error?.exitStatus == .configuration)
        #expect(error?.description.contains("requires a configuration file") == true)
        let silent = #expect(throws: ConfigurationError.self) {
            try Configuration(flags: flags, file: Self.file("tokens: []"))
        }
        #expect(silent?.exitStatus == .configuration)
        #expect(
            silent?.description
                == "auth is missing: \(try ListenAddress(address)) can be reached from other "
                + "machines; set how clients authenticate, or allow every client: "
                + "auth: { mode: none }")
        let file = try Self.file("auth: { mode: none }")
        #expect(try Configuration(flags: flags, file: file).listeners == flags.listeners)
    }

    @Test("The flag --conformance-echo is refused if a listener is public")
    func echo() throws {
        var flags = ConfigurationFlags()
        flags.servesEcho = true
        #expect(try Configuration(flags: flags).servesEcho)
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(
                flags: flags, file: Self.file("listen: 0.0.0.0:80\nauth: { mode: none }"))
        }
        #expect(error?.description.hasPrefix("--conformance-echo") == true)
    }

    @Test("A number of loops that is out of range is a usage error", arguments: [0, -1, 257])
    func loops(_ loops: Int) {
        var flags = ConfigurationFlags()
        flags.loops = loops
        let error = #expect(throws: ConfigurationError.self) { try Configuration(flags: flags) }
        #expect(error?.exitStatus == .usage)
    }

    @Test(
        "A listen address counts as loopback if it stands only for loopback IP addresses",
        arguments: [
            ("127.0.0.1:1", true), ("127.255.0.3:1", true), ("[::1]:1", true),
            ("[0:0:0:0:0:0:0:1]:1", true), ("localhost:1", true), ("LOCALHOST:1", true),
            ("128.0.0.1:1", false), ("[::2]:1", false), ("[1::1]:1", false), ("0.0.0.0:1", false),
        ])
    func loopback(text: String, isLoopback: Bool) throws {
        #expect(try ListenAddress(text).isLoopback == isLoopback)
    }

    @Test("The name localhost means both loopback addresses, 127.0.0.1 and ::1")
    func localhost() throws {
        #expect(try ListenAddress("localhost:0").literals == ["127.0.0.1", "::1"])
        #expect(try ListenAddress("[0:0::1]:5").literals == ["::1"])
        #expect(try ListenAddress("[0:0::1]:5").description == "[::1]:5")
    }

    @Test(
        "A misspelt key has a suggestion, and an unrelated word has none",
        arguments: [
            ("lisen", "listen"), ("Listen", "listen"), ("feed", "feeds"), ("lgo", "log"),
            ("x", nil), ("", nil), ("lo", nil), ("lis", "listen"), ("backend", "backends"),
            ("origin", "origins"), ("zzz", nil),
        ])
    func nearMiss(word: String, expected: String?) {
        let keys = ["listen", "log", "feeds", "origins", "backends"]
        #expect(SpellingSuggestion.suggestion(for: word, among: keys) == expected)
    }
}
