import Conformance
import Foundation
import Testing
import WebSocketTransport
import Workbench

@Suite("refresh-probe conform --listen", .ownThread, .limit)
struct ConformListenTests {
    /// Returns the command of a driver: a bash program that operates a client under test. It
    /// answers each order of the probe with `answer`, in which `$n` is the number of the order.
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

    @Test("If a driver answers `cannot` to orders that every driver must execute, the cases fail")
    func nothing() throws {
        let page = try TemporaryFile("report.html", "")
        let ending = try Self.run(
            ["--json", "--html", page.path],
            Self.driver(#"echo "{\"order\":$n,\"cannot\":\"nothing\"}" >&3"#))
        #expect(ending.status == 1, "\(ending.errors)")
        let cases = try Self.cases(ending)
        #expect(cases.count == ClientSuite.cases.count)
        for (found, subject) in zip(cases, ClientSuite.cases) {
            let verdict = found["verdict"] as? String
            #expect(verdict == (subject.needs.isEmpty ? "failed" : "skipped"), "\(subject.id)")
            guard subject.needs.isEmpty else { continue }
            #expect(
                found["expected"] as? String
                    == "that the driver executes connect, which every driver must support")
            #expect(found["came"] as? String == "cannot: nothing")
        }
        let html = try String(contentsOfFile: page.path, encoding: .utf8)
        #expect(html.contains("Conformance of bash/1.0"))
        #expect(html.contains("Not offered by this client"))
        #expect(html.contains("<li>the frames <code>stream</code>: "))
        #expect(html.contains("<span>A client's first message is <code>hello</code>, with"))
    }

    private static func cases(_ ending: Refreshd.Ending) throws -> [[String: Any]] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [[String: Any]])
    }

    @Test("Control characters in a driver's output do not reach the terminal")
    func escapes() throws {
        let ending = try Self.run(
            ["--case", "hello-first"],
            Self.driver(#"echo "{\"order\":$n,\"error\":\"it \\u001b[31mburns\\u009b\"}" >&3"#))
        #expect(ending.status == 1)
        #expect(ending.output.contains(#"found     it \u001b[31mburns\u009b"#), "\(ending.output)")
        #expect(!ending.output.contains("\u{1B}") && !ending.output.contains("\u{9B}"))
    }

    @Test("If a driver executes all orders except `reset`, the case fails")
    func noReset() throws {
        let ending = try Self.run(
            ["--json", "--case", "hello-first", "--timeout", "60"],
            Self.driver(
                #"case $line in *reset*) a=cannot;; *) a=error;; esac; "#
                    + #"echo "{\"order\":$n,\"$a\":\"no\"}" >&3"#))
        #expect(ending.status == 1, "\(ending.errors)")
        #expect(try Self.cases(ending).first?["verdict"] as? String == "failed")
    }

    @Test(
        "If a driver fails during a case, the reason is reported, and the report has every case",
        arguments: [
            ("exit", 60, "the driver closed its connection after the order connect"),
            (
                "echo [1,2] >&3", 60,
                "the driver answered order 1, connect, with [1,2], which does not have its number"
            ),
            (
                #"echo '{"order":7,"shown":{}}' >&3"#, 60,
                "the driver answered order 1, connect, with {\"order\":7,\"shown\":{}}, "
                    + "which does not have its number"
            ),
            ("sleep 99", 5, "the driver did not answer the order connect within 5000 ms"),
        ])
    func answers(answer: String, timeout: Int, why: String) throws {
        let ending = try Self.run(
            ["--json", "--group", "greeting", "--timeout", "\(timeout)"], Self.driver(answer))
        #expect(ending.status == 3)
        let cases = try Self.cases(ending)
        let chosen = ClientSuite.cases(inGroups: [.greeting], matching: [])
        #expect(cases.compactMap { $0["id"] as? String } == chosen.map(\.id))
        #expect(cases.first?["verdict"] as? String == "failed")
        #expect(cases.first?["came"] as? String == why)
        for rest in cases.dropFirst() {
            #expect(rest["verdict"] as? String == "skipped")
            #expect(rest["reason"] as? String == "not run: \(why)")
        }
        let count = chosen.count
        #expect(
            ending.errors.hasSuffix("\n\(why); not run: \(count - 1) of \(count) cases\n"),
            "\(ending.errors)")
    }

    @Test("If a client does not do what a case requires, the case fails and the status is 1")
    func failed() throws {
        let ending = try Self.run(
            ["--case", "hello-first"],
            Self.driver(#"echo "{\"order\":$n,\"error\":\"it burns\"}" >&3"#))
        #expect(ending.status == 1)
        #expect(ending.output.contains("it burns"))
        #expect(
            ending.output.hasSuffix("0 passed, 0 nonStrict, 0 informational, 1 failed, 0 skipped\n")
        )
    }

    @Test(
        "If the driver disconnects, sends invalid data or never connects, the status is 3",
        arguments: [
            driver("exit"), driver("echo nonsense >&3"), ["--", "true"],
        ])
    func gone(driver: [String]) throws {
        let ending = try Self.run(["--group", "greeting", "--timeout", "2"], driver)
        #expect(ending.status == 3)
        #expect(ending.errors.hasPrefix("ws://127.0.0.1:"))
    }

    @Test(
        "If the command line is wrong, the status is 2",
        arguments: [
            ["--url", "ws://127.0.0.1:1/"], ["--driver", "nowhere"], ["--ca", "x"],
            ["--list", "--group", "handshake"], ["--list", "--case", "unknown-1"], ["--jobs", "1"],
            ["--list", "--cases", "/nonexistent/greeting.suite"],
            ["--list", "--cases", "/nonexistent/missing.suite"],
        ])
    func wrongUse(options: [String]) throws {
        let ending = try Self.run(options, [])
        #expect(ending.status == 2)
        #expect(ending.output.isEmpty)
        #expect(!ending.errors.isEmpty)
    }

    @Test("The option --driver and a driver command require --listen")
    func withListen() throws {
        for rest in [["--driver", "127.0.0.1:0"], ["--", "true"]] {
            let ending = try ProbeTests.run(["conform", "--url", "ws://127.0.0.1:1/"] + rest)
            #expect(ending.status == 2)
        }
    }

    @Test("With --list, the names of the cases for clients are printed")
    func list() throws {
        let ending = try Self.run(["--list", "--case", "stays-away-*"], [])
        #expect(ending.status == 0)
        #expect(ending.output.split(separator: "\n").count == 7)
    }

    /// The text of a file with one case, whose only step is `step`.
    private static func suite(_ step: String) -> String {
        "case: 01 own-case\nreference: hello\ndescription: d\nexpectation: e\n\(step)\n"
    }

    @Test("With --cases, the cases of a file replace the built-in ones")
    func ownCases() throws {
        let file = try TemporaryFile("features.suite", Self.suite("connect"))
        let ending = try Self.run(["--list", "--cases", file.path], [])
        #expect(ending.status == 0)
        #expect(ending.output == "features-01  d\n")
    }

    @Test("If a file of cases has a syntax error, the status is 2, and the position is reported")
    func unparsable() throws {
        let file = try TemporaryFile("features.suite", Self.suite("fly list"))
        let ending = try Self.run(["--list", "--cases", file.path], [])
        #expect(ending.status == 2)
        #expect(ending.errors.hasSuffix("features.suite:5: expected a step, found `fly`\n"))
    }

    @Test("The probe binds both its addresses exclusively, and reports an address that is in use")
    func alone() throws {
        let first = try ListeningSocket.openExclusive(host: "127.0.0.1", port: 0)
        defer { first.close() }
        let usedAddress = "127.0.0.1:\(first.port)"
        for options in [
            ["--listen", usedAddress], ["--listen", "127.0.0.1:0", "--driver", usedAddress],
        ] {
            let ending = try ProbeTests.run(["conform"] + options + ["--", "true"])
            #expect(ending.status == 3)
            #expect(ending.errors.contains("the address is in use"), "\(ending.errors)")
        }
        // Another process cannot share the address either.
        #expect(throws: TransportError.self) {
            try ListeningSocket.open(host: "127.0.0.1", port: first.port)
        }
        let probe = try RunningDaemon(
            program: ProbeTests.executable.path, ["conform", "--listen", "127.0.0.1:0"])
        let place = try #require(Self.line(of: probe).split(separator: " ").first)
        let port = try #require(place.split(separator: ":").last?.prefix { $0.isNumber })
        let number = try #require(UInt16(port))
        do throws(TransportError) {
            try ListeningSocket.open(host: "127.0.0.1", port: number).close()
            Issue.record("the port of the probe was opened twice")
        } catch {
            #expect(error.isAddressInUse)
        }
    }

    /// A driver that greets the probe, sends only `reply`, ignores SIGTERM, and has a child that
    /// ignores it too. Both hold the pipe open. The driver writes a line to it when it is ready.
    private static func stubbornDriver(_ pipe: NamedPipe, reply: String = "") -> [String] {
        let script = """
            trap "" TERM INT HUP
            exec 3<>"/dev/tcp/${REFRESH_DRIVER%:*}/${REFRESH_DRIVER##*:}" 4>"\(pipe.path)"
            bash -c 'trap "" TERM INT HUP; while :; do sleep 0.05; done' &
            echo '{"driver":1,"client":"bash/1.0","can":[]}' >&3
            echo ready >&4
            \(reply.isEmpty ? "" : "echo '\(reply)' >&3")
            while :; do sleep 0.05; done
            """
        return ["--", "bash", "-c", script]
    }

    @Test(
        "A signal first ends the driver with its children, and then the probe",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func signalled(signal: Int32) throws {
        let pipe = try NamedPipe()
        // If the tests run under `nohup`, the probe inherits that SIGHUP is ignored. The option of
        // `env` resets this.
        let probe = try RunningDaemon(
            program: "/usr/bin/env",
            ["--default-signal=HUP", ProbeTests.executable.path]
                + ["conform", "--listen", "127.0.0.1:0", "--timeout", "60"]
                + Self.stubbornDriver(pipe))
        #expect(pipe.waitsForLine("ready"))
        probe.send(signal)
        #expect(probe.waitForEnd().status == -signal)
        #expect(pipe.waitsForEnd(), "the driver or its child still runs")
    }

    @Test("If the probe fails, it ends its driver first")
    func failedDriver() throws {
        let pipe = try NamedPipe()
        let ending = try Self.run(
            ["--timeout", "60", "--case", "hello-first"],
            Self.stubbornDriver(pipe, reply: "nonsense"))
        #expect(ending.status == 3)
        #expect(pipe.waitsForLine("ready"))
        #expect(pipe.waitsForEnd(), "the driver or its child still runs")
    }

    @Test(
        "If the report of the probe cannot be written, the probe ends its driver first",
        arguments: [">/dev/full", "| true"])
    func unreadReport(redirection: String) throws {
        let pipe = try NamedPipe()
        let command =
            [
                ProbeTests.executable.path, "conform", "--listen", "127.0.0.1:0", "--timeout",
                "60", "--case", "hello-first",
            ] + Self.stubbornDriver(pipe, reply: "nonsense")
        let shell = try RunningDaemon(
            program: "/bin/sh", ["-c", #""$@" \#(redirection)"#, "sh"] + command)
        #expect(shell.waitForEnd().status == (redirection == "| true" ? 0 : 2))
        #expect(pipe.waitsForLine("ready"))
        #expect(pipe.waitsForEnd(), "the driver or its child still runs")
    }

    /// Returns the first line on standard error.
    private static func line(of probe: RunningDaemon) throws -> String {
        let deadline = Date().addingTimeInterval(Double(60 * patience))
        while Date() < deadline {
            let text = probe.log
            if text.contains("\n") { return String(text.prefix { $0 != "\n" }) }
            usleep(10_000)
        }
        throw CancellationError()
    }
}

/// A named pipe from processes that are not children of the test. The kernel reports when all of
/// them have ended, so the test needs neither their numbers nor a pause.
private final class NamedPipe {
    let path: String
    private let descriptor: Int32
    private var text = ""

    init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("pipe-\(UUID().uuidString)").path
        // Without O_NONBLOCK, `open` would wait for a writer.
        guard unsafe mkfifo(path, 0o600) == 0 else { throw CancellationError() }
        descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0 else { throw CancellationError() }
    }

    deinit {
        close(descriptor)
        unsafe unlink(path)
    }

    /// Waits for a line from a process, for at most a minute (see `patience`).
    func waitsForLine(_ line: String) -> Bool {
        while !text.contains(line + "\n") {
            guard waits(for: Int16(POLLIN)) else { return false }
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = unsafe read(descriptor, &bytes, bytes.count)
            guard count > 0 else { return false }
            text += String(decoding: bytes.prefix(count), as: UTF8.self)
        }
        return true
    }

    /// Waits until each process that has opened the pipe has ended, for at most a minute.
    func waitsForEnd() -> Bool { waits(for: Int16(POLLHUP)) }

    private func waits(for event: Int16) -> Bool {
        // POLLHUP is always reported. Unread data must not end the wait for it.
        var state = pollfd(fd: descriptor, events: event & Int16(POLLIN), revents: 0)
        return unsafe poll(&state, 1, Int32(60_000 * patience)) == 1 && state.revents & event != 0
    }
}
