import ArgumentParser
import Foundation
import LoadTesting
import RefreshProtocol
import ScenarioKit
import WebSocketTransport

/// `refresh-probe load --url …`
struct LoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract:
            "Runs a load test of one server, or of two at the same time, with recorded gestures.",
        discussion: """
            Many clients send gestures that were recorded in a browser, at the recorded pace or at \
            another pace. A latency begins at the time at which the message was due. \
            docs/refresh-probe.md describes what is measured, and how.

            Exit status: 0 every message was answered without a fault, 1 a message was not \
            answered or caused a fault, 2 the command line is invalid or a trace cannot be used, 3 \
            there is no server at a URL, or it sends no `welcome`.
            """)

    @Option(
        help: "The server's WebSocket URL; may be repeated for the nodes of a cluster.",
        transform: ServerURL.argument)
    var url: [ServerURL] = []

    @Option(
        help: ArgumentHelp(
            "The process ID of this server, to measure its CPU time and memory.",
            valueName: "pid"))
    var pid: Int32?

    @Option(
        help: ArgumentHelp(
            "Also test this server at the same time, and compare the two servers.", valueName: "url"
        ),
        transform: ServerURL.argument)
    var against: ServerURL?

    @Option(
        name: .customLong("against-pid"),
        help: ArgumentHelp("The process ID of the server of --against.", valueName: "pid"))
    var againstProcess: Int32?

    @Option(help: "The number of clients for each server.")
    var connections = 100

    @Option(help: "The number of threads that generate the load (default: half the cores).")
    var threads: Int?

    @Option(help: "The duration of the measurement, in seconds.")
    var seconds: Double = 10

    @Option(
        name: .customLong("warm-up"),
        help: "The duration of the test before the measurement begins, in seconds.")
    var warmUp: Double = 1

    @Option(
        help: "The time over which clients connect, in seconds (default: 1 per 1000 clients).")
    var ramp: Double?

    @Flag(help: "Each client sends a message as soon as its last message was answered.")
    var closed = false

    @Flag(help: "Clients that lose their connection connect again and resume their sessions.")
    var reconnect = false

    @Option(
        help: "Messages per second of each client, evenly spaced, instead of the recorded pace.")
    var rate: Double?

    @Option(help: "The pace as a multiple of the recorded one (default: 1).")
    var speed: Double?

    @Option(help: "The mean time between the gestures of a client, in seconds (default: 2).")
    var pause: Double?

    @Option(
        help: ArgumentHelp(
            "Use only the built-in gestures with this name, in which * matches any text; may be "
                + "repeated.",
            valueName: "pattern"), completion: .list(TouchTrace.all.map(\.name)))
    var gesture: [String] = []

    @Option(
        help: ArgumentHelp(
            "Use the gesture in this journal instead of the built-in ones; may be repeated.",
            valueName: "file"), completion: .file(extensions: ["jsonl"]))
    var trace: [String] = []

    @Flag(help: "Print the names of the gestures and exit; with --json, as one array.")
    var list = false

    @Option(help: "The feed of the views that the clients attach.")
    var feed: String?

    @Option(help: "The token that authenticates the clients.")
    var token: String?

    @Option(
        help: ArgumentHelp(
            "With wss: trust the certificate authorities in this PEM file instead of the system's.",
            valueName: "file"), completion: .file(extensions: ["pem", "crt"]))
    var ca: String?

    @Option(help: "The seed of the random choice of gestures, pauses and starts.")
    var seed: UInt64 = 1

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        guard !url.isEmpty || list else { throw ValidationError("--url is required") }
        for (name, process) in [("--pid", pid), ("--against-pid", againstProcess)] {
            guard process ?? 1 > 0 else {
                throw ValidationError("\(name): must be a process ID")
            }
        }
        guard pid == nil || !url.isEmpty else { throw ValidationError("--pid: only with --url") }
        guard againstProcess == nil || against != nil else {
            throw ValidationError("--against-pid: only with --against")
        }
        try ServerURL.check(ca: ca, for: url.first(where: \.target.isEncrypted), against)
        try validateNumbers()
        guard !closed || rate == nil else {
            throw ValidationError("--closed and --rate cannot be combined")
        }
        guard (!closed && rate == nil) || (speed == nil && pause == nil) else {
            throw ValidationError(
                "--speed and --pause apply to the recorded pace, not with --closed or --rate")
        }
        guard gesture.isEmpty || trace.isEmpty else {
            throw ValidationError("--gesture and --trace cannot be combined")
        }
    }

    private func validateNumbers() throws {
        guard (1...100_000).contains(connections) else {
            throw ValidationError("--connections: 1 to 100000")
        }
        guard (1...64).contains(threads ?? 1) else { throw ValidationError("--threads: 1 to 64") }
        let spans = [
            ("--seconds", seconds, 0.1...86_400), ("--warm-up", warmUp, 0...3_600),
            ("--ramp", ramp ?? 0, 0...3_600), ("--pause", pause ?? 0, 0...3_600),
            ("--speed", speed ?? 1, 0.01...1_000), ("--rate", rate ?? 1, 0.001...100_000),
        ]
        for (name, value, span) in spans where !span.contains(value) {
            throw ValidationError("\(name): \(span.lowerBound) to \(span.upperBound)")
        }
    }

    func run() async throws {
        let gestures = try gestures()
        guard !list else {
            return printList(gestures)
        }
        try checkProcesses()
        let report: LoadResults
        do {
            report = try await LoadRun(try plan(gestures), progress: watcher).run()
        } catch let failure as LoadRunFailure {
            Terminal.showProgress(nil)
            Terminal.printError("\(failure)")
            throw failure.url == nil ? ProbeStatus.unusable : ProbeStatus.unreachable
        }
        Terminal.printLine(
            json ? report.json.text : report.text(painted: Terminal.painted))
        if !report.isSound { throw ProbeStatus.failed }
    }

    private func printList(_ gestures: [LoadGesture]) {
        guard !json else {
            return Terminal.printLine("[" + gestures.map(\.json.text).joined(separator: ",") + "]")
        }
        for gesture in gestures { Terminal.printLine(gesture.name) }
    }

    /// Checks the process ids before the load test begins, so that a wrong id is reported at once.
    private func checkProcesses() throws {
        for (name, process) in [("--pid", pid), ("--against-pid", againstProcess)] {
            guard let process, ObservedProcess(process) == nil else { continue }
            Terminal.printError("\(name): there is no process \(process), or it has ended")
            throw ProbeStatus.unusable
        }
    }

    /// The function that shows the progress on the terminal. Nil if there is no terminal, because
    /// even progress that is not shown would disturb the measurement.
    private var watcher: (@Sendable (LoadProgress) -> Void)? {
        guard Terminal.showsProgress else { return nil }
        return { Terminal.showProgress($0.stage == nil ? nil : $0.text) }
    }

    private func plan(_ gestures: [LoadGesture]) throws -> LoadPlan {
        let named = [(url, pid), (against.map { [$0] } ?? [], againstProcess)]
        let targets = named.compactMap { urls, process in
            LoadPlan.Target(urls: urls.map(\.text), process: process)
        }
        var plan = LoadPlan(targets: targets, gestures: gestures)
        plan.connections = connections
        plan.threads = min(
            connections, threads ?? max(1, ProcessInfo.processInfo.activeProcessorCount / 2))
        plan.pace =
            if closed {
                .closed
            } else if let rate {
                .rate(rate)
            } else {
                .recorded(speed: speed ?? 1, pause: Self.microseconds(pause ?? 2))
            }
        plan.ramp = Self.microseconds(ramp ?? Double(connections) / 1000)
        plan.warmUp = Self.microseconds(warmUp)
        plan.duration = Self.microseconds(seconds)
        plan.seed = seed
        plan.reconnects = reconnect
        if targets.contains(where: { $0.addresses.contains(where: \.isEncrypted) }) {
            plan.authorities = try Dialer.authorities(ca)
        }
        return plan
    }

    private func gestures() throws -> [LoadGesture] {
        let identity = LoadGesture.Identity(feed: feed, token: token)
        do {
            let traces =
                trace.isEmpty
                ? TouchTrace.builtIn(matching: gesture) : try trace.map(TouchTrace.init(file:))
            guard !traces.isEmpty else {
                Terminal.printError("No gesture matches; --list prints the names of all gestures.")
                throw ProbeStatus.unusable
            }
            return try traces.map { try LoadGesture($0, as: identity) }
        } catch let error as LoadGesture.Unusable {
            Terminal.printError("\(error)")
            throw ProbeStatus.unusable
        }
    }

    private static func microseconds(_ seconds: Double) -> Int64 { Int64(seconds * 1_000_000) }
}
