import RefreshProtocol
import ScenarioBench
import ScenarioKit
import Testing
import WebSocketTransport

@Suite("Scenarios that cannot run")
struct ScenarioSkipTests {
    /// A server with one profile, and without feeds and features.
    private static func poorServer() throws -> ScriptedServer {
        try ScriptedServer([
            #"{"type":"hello","protocol":1,"client":"refresh-probe","features":[],"#
                + #""snapshots":true}"#: [
                    .text(#"{"type":"welcome","protocol":1,"profiles":["default"],"feeds":[]}"#)
                ],
            #"{"type":"ping","t":1.015625}"#: [.text(#"{"type":"pong","t":1.015625}"#)],
        ])
    }

    private static func result(_ steps: String) async throws -> ScenarioResult {
        let server = try poorServer()
        defer { server.stop() }
        let dialer = try Dialer()
        defer { dialer.stop() }
        return await ScenarioEnvironment.daemon(url: server.url, dialer: dialer).play(
            try scenario(steps))
    }

    @Test(
        "A scenario that needs a missing feature is skipped, and the feature is named",
        arguments: [
            ("hello\nchanged packages", "feeds that can be scripted (in process only)"),
            (
                "at once {\nhello\nprogress packages 0.5\n}",
                "feeds that can be scripted (in process only)"
            ),
            ("attach list {profile: iqpulltorefresh}", "the profile iqpulltorefresh"),
            ("hello {views: [{view: list, profile: uikit}]}", "the profile uikit"),
            ("late 5ms attach list {profile: default, feed: packages}", "the feed packages"),
            ("hello {features: []}", "features of clients"),
            ("hello {features: [query]}", "the feature query"),
        ])
    func skipped(steps: String, what: String) async throws {
        let result = try await Self.result(steps)
        #expect(result.skippedReason == "not offered: \(what)")
        #expect(result.failure == nil && result.exchanges.isEmpty)
    }

    @Test("A scenario is not skipped if its features exist, or if it names an unknown profile")
    func played() async throws {
        for steps in ["ping {t: 1}", "skip\nlet a = 1"] {
            #expect(try await Self.result(steps).verdict == .passed)
        }
        let attached = try await Self.result(
            "attach list {profile: default}\nexpect attached within 50ms")
        #expect(attached.failure?.step == 1)
        let madeUp = try await Self.result("attach list {profile: mine}\nexpect error within 50ms")
        #expect(madeUp.failure?.step == 1)
    }

    @Test("Skipped scenarios are reported separately from passed and failed ones")
    func report() async throws {
        let skipped = try await Self.result("changed packages")
        let passed = try await Self.result("ping {t: 1}")
        #expect(
            ScenarioReport.text(skipped)
                == "skip  test\n      not offered: feeds that can be scripted (in process only)")
        let json = try JSONValue(parsing: ScenarioReport.json(skipped))
        #expect(json["verdict"] == .string("skipped"))
        #expect(
            json["reason"] == .string("not offered: feeds that can be scripted (in process only)"))
        #expect(ScenarioReport.summary([skipped, passed]) == "1 passed, 0 failed, 1 skipped")
        #expect(
            ScenarioReport.jsonSummary([skipped, passed])
                == "{\"passed\":1,\"failed\":0,\"skipped\":1}")
    }
}
