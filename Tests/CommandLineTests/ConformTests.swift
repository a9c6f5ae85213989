import Foundation
import RefreshProtocol
import RefreshServer
import SealedSnapshots
import Testing
import Workbench

@Suite("refresh-probe conform", .ownThread, .limit)
struct ConformTests {
    /// A case that no server passes, because no server sends `welcome` twice.
    private static let impossible = """
        case: 01 passes
        reference: welcome
        description: It is welcomed.
        expectation: welcome.

        # hello
        hello
        expect welcome

        case: 02 fails
        reference: welcome
        description: It is <welcomed> & welcomed.
        expectation: welcome, twice.

        # hello
        hello
        expect welcome
        expect welcome within 100ms

        case: 03 is-not-asked
        reference: welcome
        requires: feed no-such-feed
        description: There is a feed.
        expectation: attached.

        # hello
        hello {views: [{view: list, profile: default, feed: "no-such-feed"}]}
        expect attached

        case: 04 is-not-strict
        reference: welcome
        level: should
        description: It says so.
        expectation: bye.

        # hello
        hello
        expect bye within 100ms

        """

    private static func url(_ daemon: RunningDaemon) throws -> String {
        let line = try #require(daemon.firstLine())
        let first = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let port = try #require(first?["port"] as? Int)
        return "ws://127.0.0.1:\(port)/v1/session"
    }

    @Test("If no case fails, the status is 0, and without a terminal the table has no colours")
    func passed() throws {
        let daemon = try RunningDaemon(["--listen", "127.0.0.1:0"])
        let ending = try ProbeTests.run(
            ["conform", "--url", Self.url(daemon), "--group", "batching", "--case", "batching-01"])
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        #expect(ending.output.contains("  passed         batching-01  one-frame-one-answer"))
        #expect(
            ending.output.hasSuffix(
                "\n1 passed, 0 nonStrict, 0 informational, 0 failed, 0 skipped\n"))
        #expect(!ending.output.contains("\u{1B}"))
        #expect(ending.errors.isEmpty)
    }

    @Test("If a case fails, the status is 1, and every report has the verdicts")
    func failed() throws {
        let daemon = try RunningDaemon(["--listen", "127.0.0.1:0"])
        let suite = try TemporaryFile("session.suite", Self.impossible)
        let junit = try TemporaryFile("report.xml")
        let html = try TemporaryFile("report.html")
        let ending = try ProbeTests.run([
            "conform", "--url", Self.url(daemon), "--cases", suite.path, "--json", "--junit",
            junit.path, "--html", html.path,
        ])
        #expect(ending.status == 1, "\(ending.errors)")
        let cases = try #require(
            JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [[String: Any]])
        #expect(
            cases.map { $0["id"] as? String }
                == ["session-01", "session-02", "session-03", "session-04"])
        #expect(
            cases.map { $0["verdict"] as? String }
                == ["passed", "failed", "skipped", "nonStrict"])
        #expect(cases.allSatisfy { $0["group"] as? String == "session" })
        #expect(cases[2]["reason"] as? String == "not offered: the feed no-such-feed")
        let exchanges = try #require(cases[1]["exchanges"] as? [[String: Any]])
        #expect(exchanges.map { $0["from"] as? String } == ["client", "daemon"])

        let xml = try String(contentsOfFile: junit.path, encoding: .utf8)
        #expect(xml.contains(#"tests="4" failures="1" skipped="1""#))
        #expect(xml.contains(#"<skipped message="not offered: the feed no-such-feed"/>"#))
        #expect(xml.contains("<failure message=\"expected "))
        #expect(xml.contains("non-strict: "))
        let page = try String(contentsOfFile: html.path, encoding: .utf8)
        #expect(page.contains(#"<details class="skipped" id="session-03">"#))
        #expect(page.contains("not offered: the feed no-such-feed"))
        #expect(page.contains("checked> 1 skipped</label>"))
        #expect(page.contains("It is &lt;welcomed&gt; &amp; welcomed."))
        for id in 1...4 { #expect(page.contains(#"id="session-0\#(id)""#)) }
        // The HTML report loads nothing from other places.
        let packed = try #require(
            try page.firstMatch(of: Regex(#"id="exchanges">([A-Za-z0-9+/=]+)</script>"#)))
        let rest = page.replacing(packed[0].substring ?? "", with: "")
        #expect(!rest.contains("src=") && !rest.contains("<link") && !rest.contains("http"))
        // Outside the recorded exchanges of messages, only the reason of a failure quotes an actual
        // message.
        let unexplained = rest.replacing(/<table class="reason">.*?<\/table>/, with: "")
        #expect(rest != unexplained && !unexplained.contains("welcome&quot;"))
        // The HTML report contains the exchanges once, equal to those in the JSON report.
        let bytes = try #require(Data(base64Encoded: String(packed[1].substring ?? "")))
        let reports = try JSONValue(
            parsing: try #require(Deflate.inflated(Array(bytes)[...], most: 1 << 20)))
        for found in cases {
            let id = try #require(found["id"] as? String)
            let texts = (reports[id]?.array ?? []).flatMap { $0["said"]?.array ?? [] }
                .map { $0.array?[2].string }
            let exchanges = found["exchanges"] as? [[String: Any]] ?? []
            #expect(texts == exchanges.map { $0["text"] as? String }, "\(id)")
        }
        #expect(reports["session-02"]?.array?.first?["name"]?.string?.contains(": ") == true)
    }

    @Test("On a terminal, one line shows the progress, except with --json")
    func progress() throws {
        let daemon = try RunningDaemon(["--listen", "127.0.0.1:0"])
        let url = try Self.url(daemon)
        for flags in ["", " --json"] {
            let command =
                "\(ProbeTests.executable.path) conform --url \(url) --group batching\(flags)"
            let ending = try RunningDaemon(
                program: "/usr/bin/script", ["-qec", command, "/dev/null"]
            ).waitForEnd()
            #expect(ending.status == 0, "\(ending.output)")
            let isShown = ending.output.contains("\r\u{1B}[K0 of ")
            #expect(isShown == flags.isEmpty, "\(ending.output.prefix(300))")
            #expect(ending.output.contains("cases, 0 failed, ") == flags.isEmpty)
        }
    }

    @Test("If there is no server, the status is 3, and no case fails")
    func unreachable() throws {
        let ending = try ProbeTests.run(["conform", "--url", "ws://127.0.0.1:1/v1/session"])
        #expect(ending.status == 3)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.hasPrefix("ws://127.0.0.1:1/v1/session: "))
    }

    @Test(
        "If the command line is wrong, the status is 2",
        arguments: [
            ["conform"], ["conform", "--url", "http://127.0.0.1/"],
            ["conform", "--list", "--group", "unknown"],
            ["conform", "--list", "--case", "unknown-1"],
            ["conform", "--list", "--timeout", "0"], ["conform", "--list", "--jobs", "0"],
            ["conform", "--list", "--cases", "/nonexistent/pull.suite"],
            ["conform", "--list", "--cases", "/nonexistent/missing.suite"],
            ["conform", "--url", "ws://127.0.0.1:1/", "--ca", "x"],
        ])
    func wrongUse(arguments: [String]) throws {
        let ending = try ProbeTests.run(arguments)
        #expect(ending.status == 2)
        #expect(ending.output.isEmpty)
        #expect(!ending.errors.isEmpty)
    }

    @Test("If a file of cases has a syntax error, the status is 2, and the position is reported")
    func unparsable() throws {
        let suite = try TemporaryFile(
            "session.suite", Self.impossible.replacing("expect bye within 100ms", with: "fly list"))
        let ending = try ProbeTests.run(["conform", "--list", "--cases", suite.path])
        #expect(ending.status == 2)
        #expect(ending.errors.hasSuffix("session.suite:38: expected a step, found `fly`\n"))
    }

    @Test("With --list, the names of the selected cases are printed")
    func list() throws {
        let all = try ProbeTests.run(["conform", "--list"])
        #expect(all.status == 0)
        #expect(all.output.split(separator: "\n").count >= 250)
        let some = try ProbeTests.run(["conform", "--list", "--case", "pull-0*", "--group", "pull"])
        #expect(some.output.split(separator: "\n").count == 9)
        #expect(some.output.hasPrefix("pull-01  "))
        let json = try ProbeTests.run(["conform", "--list", "--json", "--only", "release-fires"])
        let cases = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
        #expect((cases as? [[String: Any]])?.map { $0["id"] as? String } == ["pull-04"])
    }
}
