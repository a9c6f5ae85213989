import ArgumentParser
import Foundation
import RefreshScenario
import RefreshServer
import WebSocketTransport

/// `refresh-probe conform --url …`
struct ConformCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conform",
        abstract: "Asks a server, or a client, case by case whether it keeps to docs/protocol.md.",
        discussion: """
            Runs the conformance suite against any server of the protocol; docs/conformance.md says \
            what the server must offer, and lists the cases. A case whose subject the server does not \
            offer is skipped.

            With --listen it is the server, and grades a client, which a driver moves: a small program \
            that takes orders at --driver, as docs/conformance.md says. What follows -- is started as the \
            driver, with its address in the environment as REFRESH_DRIVER; otherwise it is waited for.

            PATTERN is a case (pull-07), its name, or a text in which * stands for anything.

            Exit status: 0 no case failed, 1 a case failed, 2 a wrong command line, or a report that \
            cannot be written, 3 there is no server at the URL, or it does not speak the protocol; no driver \
            came, or it went, or the address is in use.
            """)

    @Option(help: "The server's WebSocket URL.", transform: ServerURL.argument)
    var url: ServerURL?

    @Option(
        help: ArgumentHelp(
            "With wss: believe the authorities in this PEM file instead of the system's.",
            valueName: "file"), completion: .file(extensions: ["pem", "crt"]))
    var ca: String?

    @Option(
        help: ArgumentHelp(
            "Be the server there, and grade a client; port 0 is a free one.",
            valueName: "host:port"),
        transform: ListenAddress.argument)
    var listen: ListenAddress?

    @Option(
        help: ArgumentHelp(
            "With --listen: where the client's driver connects (default: the same host, a free port).",
            valueName: "host:port"),
        transform: ListenAddress.argument)
    var driver: ListenAddress?

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("With --listen: the command that is the driver.", valueName: "command"))
    var command: [String] = []

    @Option(
        name: [.customLong("case"), .customLong("only")],
        help: ArgumentHelp("Only these cases; may be repeated.", valueName: "pattern"))
    var patterns: [String] = []

    @Option(
        help: "Only these groups; may be repeated.",
        completion: .list(
            ConformanceGroup.allCases.map(\.rawValue) + ClientGroup.allCases.map(\.rawValue)))
    var group: [String] = []

    @Option(
        help: ArgumentHelp(
            "Run the cases of this file, GROUP.suite, instead of the built-in ones; may be repeated.",
            valueName: "file"), completion: .file(extensions: ["suite"]))
    var cases: [String] = []

    @Flag(help: "Name the cases and end; with --json one array.")
    var list = false

    @Option(help: "How many seconds the server may take to do what is expected.")
    var timeout: Double = 5

    @Option(help: "With --url: how many cases run at one time (default: 24).")
    var jobs: Int?

    @Flag(help: "Print an array of all cases with their verdicts and exchanges.")
    var json = false

    @Flag(help: "Print every message of every case.")
    var verbose = false

    @Option(
        help: ArgumentHelp("Write a report in JUnit's XML there too.", valueName: "file"),
        completion: .file(extensions: ["xml"]))
    var junit: String?

    @Option(
        help: ArgumentHelp("Write a page with every exchange there too.", valueName: "file"),
        completion: .file(extensions: ["html"]))
    var html: String?

    func validate() throws {
        try validateRole()
        try ServerURL.check(ca: ca, for: url)
        guard timeout > 0, timeout <= 600 else {
            throw ValidationError("--timeout: more than 0 and at most 600 seconds")
        }
        guard (1...256).contains(jobs ?? 1) else { throw ValidationError("--jobs: 1 to 256") }
        let known =
            listen == nil
            ? ConformanceGroup.allCases.map(\.rawValue) : ClientGroup.allCases.map(\.rawValue)
        for name in group where !known.contains(name) {
            let names = known.joined(separator: ", ")
            throw ValidationError("--group: there is no \(name); the groups are \(names)")
        }
    }

    /// Checks that the options fit the role: to test the server at a URL, or to accept a client.
    private func validateRole() throws {
        guard listen != nil else {
            guard url != nil || list else {
                throw ValidationError("--url: which server? or --listen: where?")
            }
            guard driver == nil, command.isEmpty else {
                throw ValidationError("--driver, and a command behind --: only with --listen")
            }
            return
        }
        guard url == nil, ca == nil, cases.isEmpty else {
            throw ValidationError("--listen: without --url, --ca and --cases")
        }
        guard jobs == nil else {
            throw ValidationError(
                "--jobs: only with --url; a driver moves one client, so its cases run one by one")
        }
    }

    func run() async throws {
        if let listen { return try await grade(at: listen) }
        let chosen = ConformanceSuite.cases(
            of: try allCases(), inGroups: group.compactMap { ConformanceGroup(rawValue: $0) },
            matching: patterns)
        guard !chosen.isEmpty else {
            Terminal.complain("No case is of that name; --list names them.")
            throw ProbeStatus.unusable
        }
        guard let url, !list else { return printList(chosen.map(\.statement)) }
        let dialer = try Dialer(for: url, ca: ca)
        defer { dialer.stop() }
        let runner = try await runner(url, dialer)
        let progress = CaseProgress(of: chosen.count, isShown: !json)
        let results = await runner.run(chosen, atOneTime: jobs ?? 24) { progress.count($0) }
        progress.end()
        try tell(ConformanceReport(url: url.text, survey: runner.survey, results: results))
    }

    /// Prints and writes the report, and throws the exit status that it implies.
    func tell(_ report: ConformanceReport) throws {
        Terminal.put(
            json ? report.json : report.text(isVerbose: verbose, paint: Terminal.painted))
        try write(report.junit, to: junit)
        if html != nil { try write(report.html, to: html) }
        if !report.isConforming { throw ProbeStatus.failed }
    }

    private func allCases() throws -> [ConformanceCase] {
        guard !cases.isEmpty else { return ConformanceSuite.cases }
        return try cases.flatMap { file in
            do {
                return try ConformanceSuite.read(file)
            } catch {
                Terminal.complain("\(error)")
                throw ProbeStatus.unusable
            }
        }
    }

    func printList(_ cases: [ConformanceStatement]) {
        guard !json else {
            return Terminal.put("[" + cases.map(\.json).joined(separator: ",") + "]")
        }
        let width = cases.map(\.id.count).max() ?? 0
        for subject in cases {
            let gap = String(repeating: " ", count: width - subject.id.count + 2)
            Terminal.put(
                Terminal.bold(subject.id) + gap + LogLine.legible(subject.description))
        }
    }

    private func runner(_ url: ServerURL, _ dialer: Dialer) async throws -> ConformanceRunner {
        do {
            return try await ConformanceRunner(
                ConformanceStage(url: url.text, dialer: dialer), patienceMs: timeout * 1000)
        } catch {
            Terminal.complain("\(url): expected \(error.expected), found \(error.came)")
            throw ProbeStatus.unreachable
        }
    }

    private func write(_ text: String, to path: String?) throws {
        guard let path else { return }
        do {
            try Data(text.utf8).write(to: URL(filePath: path))
        } catch {
            Terminal.complain("\(path): \(WriteFailure.text(error))")
            throw ProbeStatus.unusable
        }
    }
}
