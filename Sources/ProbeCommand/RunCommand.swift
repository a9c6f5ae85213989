import ArgumentParser
internal import Conformance
import Foundation
import ScenarioKit
import WebSocketTransport

/// `refresh-probe run FILE…`
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Plays scenarios and reports which of them pass.",
        discussion: """
            Without --url, each scenario runs inside this process, in a session without a socket \
            and in simulated time. docs/scenarios.md describes the format of the files.

            Exit status: 0 all scenarios passed, 1 a scenario failed, 2 the command line is \
            invalid, or a file cannot be read or parsed, 3 there is no daemon at the URL.
            """)

    @Argument(
        help: "The scenarios to play, in this order.",
        completion: .file(extensions: ["scenario"]))
    var files: [String]

    @Option(
        help: "Play against the daemon at this WebSocket URL, in real time.",
        transform: ServerURL.argument)
    var url: ServerURL?

    @Option(
        help: ArgumentHelp(
            "With wss: trust the certificate authorities in this PEM file instead of the system's.",
            valueName: "file"), completion: .file(extensions: ["pem", "crt"]))
    var ca: String?

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @Flag(help: "Print every message of every phase.")
    var verbose = false

    @Option(help: "Without --url: the time after which a feed answers, in milliseconds.")
    var latency: Double = 20

    @Option(help: "The seed for all random choices, instead of the seeds in the files.")
    var seed: UInt64?

    @Option(
        help: "The number of scenarios that run at a time (default: 8 with --url, otherwise 1)."
    )
    var jobs: Int?

    func validate() throws {
        guard (1...256).contains(jobs ?? 1) else { throw ValidationError("--jobs: 1 to 256") }
        guard !files.isEmpty else { throw ValidationError("At least one file is required.") }
        guard latency >= 0, latency <= 3_600_000 else {
            throw ValidationError("--latency: 0 to 3600000 milliseconds")
        }
        try ServerURL.check(ca: ca, for: url)
    }

    func run() async throws {
        let scenarios = try readAll()
        let stage = try stage()
        var results: [ScenarioResult] = []
        await stage.play(scenarios, seed: seed, atOneTime: jobs ?? (url == nil ? 1 : 8)) {
            result in
            results.append(result)
            Terminal.printLine(
                json
                    ? ScenarioReport.json(result)
                    : ScenarioReport.text(result, isVerbose: verbose, paint: Terminal.painted))
        }
        Terminal.printLine(
            json
                ? ScenarioReport.jsonSummary(results)
                : ScenarioReport.summary(results, paint: Terminal.painted))
        if results.contains(where: { $0.failure != nil }) { throw ProbeStatus.failed }
    }

    /// Reads all files before the first scenario runs, so that an error in the last file is
    /// reported at once.
    private func readAll() throws -> [Scenario] {
        var scenarios: [Scenario] = []
        var isUsable = true
        for file in files {
            do {
                scenarios.append(try ScenarioFile.read(file))
            } catch {
                Terminal.printError("\(error)")
                isUsable = false
            }
        }
        guard isUsable else { throw ProbeStatus.unusable }
        return scenarios
    }

    private func stage() throws -> ScenarioEnvironment {
        if let url {
            try checkReachable(url)
            return .daemon(url: url.text, dialer: try Dialer(for: url, ca: ca))
        }
        return .inProcess(feeds: [try SimulatedFeed.demo()], latencyMs: latency)
    }

    /// Checks before the first scenario that the server accepts connections, so that an unreachable
    /// server is not reported as a failure of a scenario.
    private func checkReachable(_ url: ServerURL) throws {
        guard url.target.isAcceptingConnections else {
            Terminal.printError("\(url) cannot be reached: no server accepts connections there")
            throw ProbeStatus.unreachable
        }
    }
}
