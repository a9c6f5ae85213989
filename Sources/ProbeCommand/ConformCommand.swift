import ArgumentParser
import Conformance
import Foundation
import RefreshConfiguration
import RefreshServer
import ScenarioKit
import WebSocketTransport

/// `refresh-probe conform --url …`
struct ConformCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conform",
        abstract: "Tests, case by case, whether a server or a client conforms to docs/protocol.md.",
        discussion: """
            Runs the conformance suite against any server of the protocol. docs/conformance.md \
            describes what the server must offer, and lists the cases. If the server does not \
            offer what a case needs, the case is skipped.

            With --listen this command is the server, and tests a client. The driver is a small \
            program that controls the client. It connects to the address of --driver, and receives \
            orders there; see docs/conformance.md. If there is a command after --, it is started \
            as the driver, with the address in the environment variable REFRESH_DRIVER. Without \
            such a command, this command waits until a driver connects.

            PATTERN is the identifier of a case (pull-07), its name, or a text in which * \
            matches any text.

            Exit status: 0 no case failed, 1 a case failed, 2 the command line is invalid, or a \
            file cannot be read or written, 3 there is no server at the URL, or it does not use \
            the protocol. With --listen, 3 means that the address is in use, that no driver \
            connected, or that the driver failed.
            """)

    @Option(help: "The server's WebSocket URL.", transform: ServerURL.argument)
    var url: ServerURL?

    @Option(
        help: ArgumentHelp(
            "With wss: trust the certificate authorities in this PEM file instead of the system's.",
            valueName: "file"), completion: .file(extensions: ["pem", "crt"]))
    var ca: String?

    @Option(
        help: ArgumentHelp(
            "Be the server at this address, and test a client; port 0 selects a free port.",
            valueName: "host:port"),
        transform: ListenAddress.argument)
    var listen: ListenAddress?

    @Option(
        help: ArgumentHelp(
            "With --listen: the address for the driver (default: the same host, a free port).",
            valueName: "host:port"),
        transform: ListenAddress.argument)
    var driver: ListenAddress?

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp(
            "With --listen: the command to start as the driver.", valueName: "command"))
    var command: [String] = []

    @Option(
        name: [.customLong("case"), .customLong("only")],
        help: ArgumentHelp("Run only these cases; may be repeated.", valueName: "pattern"))
    var patterns: [String] = []

    @Option(
        help: "Run only these groups; may be repeated.",
        completion: .list(
            ConformanceGroup.allCases.map(\.rawValue) + ClientGroup.allCases.map(\.rawValue)))
    var group: [String] = []

    @Option(
        help: ArgumentHelp(
            "Run the cases of this file, GROUP.suite, instead of the built-in ones; may be repeated.",
            valueName: "file"), completion: .file(extensions: ["suite"]))
    var cases: [String] = []

    @Flag(help: "Print the names of the cases and exit; with --json, as one array.")
    var list = false

    @Option(help: "The maximum time for an expected reaction, in seconds.")
    var timeout: Double = 5

    @Option(help: "With --url: the number of cases that run at the same time (default: 24).")
    var jobs: Int?

    @Flag(help: "Print all cases with their verdicts and exchanges as one JSON array.")
    var json = false

    @Flag(help: "Print every message of every case.")
    var verbose = false

    @Option(
        help: ArgumentHelp("Also write a JUnit XML report to this file.", valueName: "file"),
        completion: .file(extensions: ["xml"]))
    var junit: String?

    @Option(
        help: ArgumentHelp(
            "Also write an HTML page with every exchange to this file.", valueName: "file"),
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
            throw ValidationError("--group: unknown group \(name); the groups are \(names)")
        }
    }

    /// Checks that the options are valid for the kind of test. Either the server at a URL is
    /// tested, or a client that connects to `refresh-probe`.
    private func validateRole() throws {
        guard listen != nil else {
            guard url != nil || list else {
                throw ValidationError("--url or --listen is required")
            }
            guard driver == nil, command.isEmpty else {
                throw ValidationError("--driver, and a command after --: only with --listen")
            }
            return
        }
        guard url == nil, ca == nil else {
            throw ValidationError("--listen cannot be combined with --url or --ca")
        }
        guard jobs == nil else {
            throw ValidationError(
                "--jobs: only with --url; a driver controls one client, so its cases run one by one"
            )
        }
    }

    func run() async throws {
        if let listen { return try await grade(at: listen) }
        let chosen = ConformanceSuite.cases(
            of: try allCases(), inGroups: group.compactMap { ConformanceGroup(rawValue: $0) },
            matching: patterns)
        guard !chosen.isEmpty else {
            Terminal.printError("No case matches; --list prints the names of all cases.")
            throw ProbeStatus.unusable
        }
        guard let url, !list else { return printList(chosen.map(\.statement)) }
        let dialer = try Dialer(for: url, ca: ca)
        defer { dialer.stop() }
        let runner = try await runner(url, dialer)
        let progress = CaseProgress(of: chosen.count, isShown: !json)
        let results = await runner.run(chosen, atOneTime: jobs ?? 24) { progress.count($0) }
        progress.end()
        try printReport(ConformanceReport(url: url.text, survey: runner.survey, results: results))
    }

    /// Prints the report and writes it to files. If a case has failed, throws the exit status.
    func printReport(_ report: ConformanceReport) throws {
        Terminal.printLine(
            json ? report.json : report.text(isVerbose: verbose, paint: Terminal.painted))
        try write(report.junit, to: junit)
        if html != nil { try write(report.html, to: html) }
        if !report.isConforming { throw ProbeStatus.failed }
    }

    private func allCases() throws -> [ConformanceCase] {
        cases.isEmpty ? ConformanceSuite.cases : try read(ConformanceSuite.read)
    }

    /// Reads the files of `--cases`.
    func read<Case>(_ read: (String) throws(ScenarioFile.Failure) -> [Case]) throws -> [Case] {
        try cases.flatMap { file in
            do throws(ScenarioFile.Failure) {
                return try read(file)
            } catch {
                Terminal.printError("\(error)")
                throw ProbeStatus.unusable
            }
        }
    }

    func printList(_ cases: [ConformanceStatement]) {
        guard !json else {
            return Terminal.printLine("[" + cases.map(\.json).joined(separator: ",") + "]")
        }
        let width = cases.map(\.id.count).max() ?? 0
        for subject in cases {
            let gap = String(repeating: " ", count: width - subject.id.count + 2)
            Terminal.printLine(
                Terminal.bold(subject.id) + gap
                    + LogLine.escapingControlCharacters(in: subject.description))
        }
    }

    private func runner(_ url: ServerURL, _ dialer: Dialer) async throws -> ConformanceRunner {
        do {
            return try await ConformanceRunner(
                ServerUnderTest(url: url.text, dialer: dialer), timeoutMs: timeout * 1000)
        } catch {
            Terminal.printError("\(url): expected \(error.expected), found \(error.came)")
            throw ProbeStatus.unreachable
        }
    }

    private func write(_ text: String, to path: String?) throws {
        guard let path else { return }
        do {
            try Data(text.utf8).write(to: URL(filePath: path))
        } catch {
            Terminal.printError("\(path): \(WriteFailure.text(error))")
            throw ProbeStatus.unusable
        }
    }
}
