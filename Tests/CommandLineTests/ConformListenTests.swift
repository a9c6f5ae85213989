import Foundation
import RefreshScenario
import Testing
import Workbench

@Suite("refresh-probe conform --listen", .ownThread, .timeLimit(.minutes(2)))
struct ConformListenTests {
    /// A driver in bash, which answers each order, whose number is `$n`, by `answer`.
    private static func driver(_ answer: String) -> [String] {
        let script = """
            exec 3<>"/dev/tcp/${REFRESH_DRIVER%:*}/${REFRESH_DRIVER##*:}"
            echo '{"driver":1,"client":"bash/1.0","can":[],"colour":"red"}' >&3
            while read -r line <&3; do n=${line#*:}; n=${n%%,*}; \(answer); done
            """
        return ["--", "bash", "-c", script]
    }

    private static func run(_ options: [String], _ driver: [String]) throws -> Refreshd.Ending {
        try ProbeTests.run(["conform", "--listen", "127.0.0.1:0"] + options + driver)
    }

    @Test("a client that can nothing fails nothing: it is not asked, and the report says for what")
    func nothing() throws {
        let page = try TemporaryFile("report.html", "")
        let ending = try Self.run(
            ["--json", "--html", page.path],
            Self.driver(#"echo "{\"order\":$n,\"cannot\":\"nothing\"}" >&3"#))
        #expect(ending.status == 0, "\(ending.errors)")
        let cases = try #require(
            try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [[String: Any]])
        #expect(cases.count == ClientSuite.cases.count)
        #expect(cases.allSatisfy { $0["verdict"] as? String == "informational" })
        let html = try String(contentsOfFile: page.path, encoding: .utf8)
        #expect(html.contains("Conformance of bash/1.0"))
        #expect(html.contains("Not offered by this client"))
    }

    @Test("what should have been possible and was not is a failure, and ends with 1")
    func failed() throws {
        let ending = try Self.run(
            ["--case", "hello-first"],
            Self.driver(#"echo "{\"order\":$n,\"error\":\"it burns\"}" >&3"#))
        #expect(ending.status == 1)
        #expect(ending.output.contains("it burns"))
        #expect(ending.output.hasSuffix("0 passed, 0 nonStrict, 0 informational, 1 failed\n"))
    }

    @Test(
        "a driver that goes, answers nonsense or never comes is 3",
        arguments: [
            driver("exit"), driver("echo nonsense >&3"), ["--", "true"],
        ])
    func gone(driver: [String]) throws {
        let ending = try Self.run(["--group", "greeting", "--timeout", "2"], driver)
        #expect(ending.status == 3)
        #expect(ending.errors.hasPrefix("ws://127.0.0.1:"))
    }

    @Test(
        "a wrong command line is 2",
        arguments: [
            ["--url", "ws://127.0.0.1:1/"], ["--driver", "nowhere"], ["--ca", "x"],
            ["--list", "--group", "handshake"], ["--list", "--case", "nobody-1"], ["--jobs", "1"],
        ])
    func wrongUse(options: [String]) throws {
        let ending = try Self.run(options, [])
        #expect(ending.status == 2)
        #expect(ending.output.isEmpty)
        #expect(!ending.errors.isEmpty)
    }

    @Test("--driver, and a command, go with --listen alone")
    func alone() throws {
        for rest in [["--driver", "127.0.0.1:0"], ["--", "true"]] {
            let ending = try ProbeTests.run(["conform", "--url", "ws://127.0.0.1:1/"] + rest)
            #expect(ending.status == 2)
        }
    }

    @Test("--list names the cases for clients")
    func list() throws {
        let ending = try Self.run(["--list", "--case", "stays-away-*"], [])
        #expect(ending.status == 0)
        #expect(ending.output.split(separator: "\n").count == 7)
    }
}
