import Foundation
import RefreshProtocol
import Testing

@testable import RefreshConfiguration

@Suite("The environment")
struct EnvironmentTests {
    private static func configuration(
        _ variables: [String: String], over text: String = "{}",
        flags: ConfigurationFlags = ConfigurationFlags()
    ) throws -> Configuration {
        try LayeredConfiguration(
            text: text, path: "refreshd.yaml", flags: flags, environment: variables
        ).configuration
    }

    private static func mistakes(
        _ variables: [String: String], over text: String = "{}"
    ) -> [String] {
        do throws(ConfigurationError) {
            _ = try LayeredConfiguration(
                text: text, path: "refreshd.yaml", environment: variables)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test(
        "Flags override the environment, which overrides the file, which overrides defaults")
    func layers() throws {
        let text = "log: { level: error, format: json }\nloops: 3\nlimits: { sessionsMax: 5 }"
        var flags = ConfigurationFlags()
        flags.loops = 7
        let configuration = try Self.configuration(
            ["REFRESHD_LOG_LEVEL": "debug", "REFRESHD_LOOPS": "5"], over: text, flags: flags)
        #expect(configuration.loops == 7)
        #expect(configuration.log == LogSettings(level: .debug, format: .json))
        #expect(configuration.limits.sessionsMax == 5)
        #expect(configuration.limits.loadDeadlineMs == Limits().loadDeadlineMs)
    }

    @Test("A variable adds a table that the file lacks, or changes one key of an existing table")
    func tables() throws {
        let configuration = try Self.configuration(
            ["REFRESHD_DRAIN_SPREADMS": "2001", "REFRESHD_LIMITS_SESSIONSMAX": "5000"],
            over: "limits: { frameBytesMax: 43520 }")
        #expect(configuration.drain.spreadMs == 2001)
        #expect(configuration.limits.sessionsMax == 5000)
        #expect(configuration.limits.frameBytesMax == 43_520)
    }

    @Test("A variable with several addresses separates them by commas")
    func addresses() throws {
        let configuration = try Self.configuration(
            ["REFRESHD_LISTEN": "127.0.0.1:1, [::1]:2", "REFRESHD_ADMIN": "127.0.0.1:3"])
        #expect(configuration.listeners.map(\.description) == ["127.0.0.1:1", "[::1]:2"])
        #expect(configuration.adminListeners.map(\.description) == ["127.0.0.1:3"])
    }

    @Test("A variable sets a key of a section that is empty in the file")
    func emptySections() throws {
        let layers = try LayeredConfiguration(
            text: "limits:\nlog:\n", path: "/etc/refreshd.yaml",
            environment: ["REFRESHD_LIMITS_SESSIONSMAX": "7", "REFRESHD_LOG_LEVEL": "debug"])
        #expect(layers.configuration.limits.sessionsMax == 7)
        #expect(layers.configuration.log.level == .debug)
    }

    @Test("Without a file, the demo is served on loopback, even if variables are set")
    func withoutFile() throws {
        let layers = try LayeredConfiguration(environment: ["REFRESHD_LOOPS": "2"])
        #expect(layers.configuration.loops == 2)
        #expect(layers.configuration.servesDemo)
        #expect(layers.file == nil)
        #expect(throws: ConfigurationError.self) {
            try LayeredConfiguration(environment: ["REFRESHD_LISTEN": "0.0.0.0:80"])
        }
    }

    @Test("REFRESHD_CONFIG names the file unless a flag names it")
    func file() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for number in 2...3 {
            try Data("loops: \(number)".utf8)
                .write(to: URL(fileURLWithPath: "\(folder)/\(number).yaml"))
        }
        let variables = ["REFRESHD_CONFIG": folder + "/2.yaml"]
        let named = try LayeredConfiguration(environment: variables)
        #expect(named.configuration.loops == 2)
        #expect(named.file == folder + "/2.yaml")
        let flagged = try LayeredConfiguration(file: folder + "/3.yaml", environment: variables)
        #expect(flagged.configuration.loops == 3)
    }

    @Test(
        "The message about an invalid value contains the name of the variable",
        arguments: [
            (["REFRESHD_LOOPS": "many"], "REFRESHD_LOOPS: expected an integer, found `many`"),
            (["REFRESHD_LOOPS": "0"], "REFRESHD_LOOPS: 0 is out of range; 1 to 256"),
            (["REFRESHD_DEMO": ""], "REFRESHD_DEMO: expected true or false, found nothing"),
            (
                ["REFRESHD_LISTEN": "here"],
                "REFRESHD_LISTEN: `here` has no port; write ADDRESS:PORT"
            ),
            (
                ["REFRESHD_LOG_LEVEL": "inof"],
                "REFRESHD_LOG_LEVEL: `inof` is not one of trace, debug, info, notice, warning, "
                    + "error, critical; did you mean `info`?"
            ),
            (["REFRESHD_CONFIG": ""], "REFRESHD_CONFIG: names no file"),
        ])
    func mistakes(variables: [String: String], message: String) {
        #expect(Self.mistakes(variables) == [message])
    }

    @Test("A variable that names no key, or names a table, a list or a feed, is refused")
    func unknown() {
        #expect(
            Self.mistakes(["REFRESHD_LOPS": "2", "REFRESHD_LIMITS_SESSIONMAX": "1"]) == [
                "REFRESHD_LIMITS_SESSIONMAX: names no configuration key; did you mean "
                    + "`REFRESHD_LIMITS_SESSIONSMAX`?",
                "REFRESHD_LOPS: names no configuration key; did you mean `REFRESHD_LOOPS`?",
            ])
        for name in ["ORIGINS", "FEEDS", "TOKENS", "LIMITS", "FEEDS_SONGS_SIZE", ""] {
            let reported = Self.mistakes(["REFRESHD_" + name: "x"])
            #expect(reported.count == 1)
            #expect(
                reported.first?.hasPrefix("REFRESHD_\(name): names no configuration key") == true)
        }
        #expect(Self.mistakes(["REFRESH": "x", "refreshd_loops": "x"]).isEmpty)
    }

    @Test("If the file has a scalar in place of a table, the line in the file is reported")
    func noTable() {
        #expect(
            Self.mistakes(["REFRESHD_LOG_LEVEL": "info"], over: "log: 5") == [
                "refreshd.yaml:1:6: log: expected a mapping, found a string"
            ])
    }

    @Test("No two keys have the same variable")
    func distinct() {
        let all = ScalarKey.all
        #expect(Set(all.map(\.variable)).count == all.count)
        #expect(!all.map(\.variable).contains(EnvironmentSettings.fileVariable))
        #expect(all.count > Limits.all.count + 7)
    }
}
