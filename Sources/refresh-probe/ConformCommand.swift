import ArgumentParser
import Foundation
import RefreshScenario
import WebSocketTransport

/// `refresh-probe conform --url …`
struct ConformCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conform",
        abstract: "Asks a server, case by case, whether it keeps to docs/protocol.md.",
        discussion: """
            Runs the conformance suite against any server of the protocol; docs/conformance.md says \
            what the server must offer, and lists the cases. A case whose subject the server does not \
            offer is informational.

            PATTERN is a case (pull-07), its name, or a text in which * stands for anything.

            Exit status: 0 no case failed, 1 a case failed, 2 a wrong command line, or a report that \
            cannot be written, 3 there is no server at the URL, or it does not speak the protocol.
            """)

    @Option(help: "The server's WebSocket URL.")
    var url: String?

    @Option(
        help: ArgumentHelp(
            "With wss: believe the authorities in this PEM file instead of the system's.",
            valueName: "file"), completion: .file(extensions: ["pem", "crt"]))
    var ca: String?

    @Option(
        name: [.customLong("case"), .customLong("only")],
        help: ArgumentHelp("Only these cases; may be repeated.", valueName: "pattern"))
    var patterns: [String] = []

    @Option(
        help: "Only these groups; may be repeated.",
        completion: .list(ConformanceGroup.allCases.map(\.rawValue)))
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

    @Option(help: "How many cases run at one time.")
    var jobs = 24

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
        let isEncrypted = url?.hasPrefix("wss://") == true
        if let url, !isEncrypted, !url.hasPrefix("ws://") {
            throw ValidationError("--url: a URL that begins with ws:// or wss://")
        }
        guard url != nil || list else { throw ValidationError("--url: which server?") }
        guard ca == nil || isEncrypted else {
            throw ValidationError("--ca: only with a --url that begins with wss://")
        }
        guard timeout > 0, timeout <= 600 else {
            throw ValidationError("--timeout: more than 0 and at most 600 seconds")
        }
        guard (1...256).contains(jobs) else { throw ValidationError("--jobs: 1 to 256") }
        for name in group where ConformanceGroup(rawValue: name) == nil {
            let names = ConformanceGroup.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--group: there is no \(name); the groups are \(names)")
        }
    }

    func run() async throws {
        let chosen = ConformanceSuite.cases(
            of: try allCases(), inGroups: group.compactMap { ConformanceGroup(rawValue: $0) },
            matching: patterns)
        guard !chosen.isEmpty else {
            Terminal.complain("No case is of that name; --list names them.")
            throw ProbeStatus.unusable
        }
        guard let url, !list else { return printList(chosen) }
        let dialer = try Dialer(for: url, ca: ca)
        defer { dialer.stop() }
        let runner = try await runner(url, dialer)
        var done = 0
        let results = await runner.run(chosen, atOneTime: jobs) { _ in
            done += 1
            Terminal.progress("\(done) of \(chosen.count) cases")
        }
        Terminal.progress(nil)
        let report = ConformanceReport(url: url, survey: runner.survey, results: results)
        Terminal.put(
            json ? report.json : report.text(isVerbose: verbose) { Terminal.painted($0, $1) })
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

    private func printList(_ cases: [ConformanceCase]) {
        guard !json else {
            return Terminal.put("[" + cases.map(\.statement.json).joined(separator: ",") + "]")
        }
        let width = cases.map(\.id.count).max() ?? 0
        for subject in cases {
            let gap = String(repeating: " ", count: width - subject.id.count + 2)
            Terminal.put(Terminal.bold(subject.id) + gap + subject.description)
        }
    }

    private func runner(_ url: String, _ dialer: Dialer) async throws -> ConformanceRunner {
        do {
            return try await ConformanceRunner(
                ConformanceStage(url: url, dialer: dialer), patienceMs: timeout * 1000)
        } catch {
            Terminal.complain("\(url): expected \(error.expected), came \(error.came)")
            throw ProbeStatus.unreachable
        }
    }

    private func write(_ text: String, to path: String?) throws {
        guard let path else { return }
        do {
            try Data(text.utf8).write(to: URL(filePath: path))
        } catch {
            Terminal.complain("\(path): \(error.localizedDescription)")
            throw ProbeStatus.unusable
        }
    }
}
