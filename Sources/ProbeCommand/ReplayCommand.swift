import ArgumentParser
import JournalReplay
import RefreshProtocol
import ScenarioKit
import WebSocketTransport

/// `refresh-probe replay FILE`
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Replays a recorded session and compares the output with the recorded one.",
        discussion: """
            FILE is a journal that refreshd --journal wrote. Without --url, its input is replayed \
            in a new session inside this process, and the output is compared byte by byte. With \
            --url, the messages of the client are sent to a server at the recorded pace. The \
            messages of the server are compared with the recorded ones, except for names, times \
            and the division into frames. The first difference is shown with its context. \
            docs/journal.md describes the format and the comparison.

            Exit status: 0 the output is the same, 1 the output differs, or a line of the journal \
            was changed, 2 the command line is invalid, or the file cannot be read, is not a \
            journal, or needs something that a server at a URL cannot provide, 3 there is no \
            server at the URL, or it does not answer.
            """)

    @Argument(help: "The journal.", completion: .file(extensions: ["jsonl"]))
    var file: String

    @Option(
        help: "Replay over a connection to the server at this WebSocket URL.",
        transform: ServerURL.argument)
    var url: ServerURL?

    @Option(
        help: ArgumentHelp(
            "With wss: trust the certificate authorities in this PEM file instead of the system's.",
            valueName: "file"), completion: .file(extensions: ["pem", "crt"]))
    var ca: String?

    @Option(
        help: ArgumentHelp(
            "With --url: the pace as a multiple of the recorded pace (default: 1); the "
                + "value max sends without pauses.",
            valueName: "x"))
    var speed: String?

    @Option(
        help: "With --url: the maximum time to wait for an output, in seconds (default: 5)."
    )
    var timeout: Double?

    @Option(help: "With --url: the token of the client, if its `hello` had one.")
    var token: String?

    @Option(help: "The number of frames to show before the first difference, and also after it.")
    var context = ReplayContext.framesUsual

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        try ServerURL.check(ca: ca, for: url)
        guard url != nil || (speed == nil && timeout == nil && token == nil) else {
            throw ValidationError("--speed, --timeout and --token: only with --url")
        }
        guard pace != nil else { throw ValidationError("--speed: 0.01 to 100, or max") }
        guard (0.001...600).contains(timeout ?? 5) else {
            throw ValidationError("--timeout: more than 0 and at most 600 seconds")
        }
        guard (0...ReplayContext.framesMax).contains(context) else {
            throw ValidationError("--context: 0 to \(ReplayContext.framesMax) frames")
        }
    }

    /// The pace of the replay. Nil if `speed` is invalid.
    private var pace: SocketReplay.Pace? {
        guard let speed else { return .recorded(speed: 1) }
        if speed == "max" { return .answers }
        guard let times = Double(speed), (0.01...100).contains(times) else { return nil }
        return .recorded(speed: times)
    }

    func run() async throws {
        let verdict: ReplayVerdict
        do {
            verdict = try await replay()
        } catch let error as JournalUnusable {
            Terminal.printError("\(error)")
            throw ProbeStatus.unusable
        } catch let error as SocketReplay.Unreachable {
            Terminal.printError(error.reason)
            throw ProbeStatus.unreachable
        }
        let width = Terminal.width ?? ReplayVerdict.widthUsual
        Terminal.printLine(
            json
                ? verdict.json.text
                : verdict.text(width: width, Terminal.painted))
        if !verdict.isIdentical { throw ProbeStatus.failed }
    }

    private func replay() async throws -> ReplayVerdict {
        guard let url else { return try InProcessReplay.run(path: file, context: context) }
        let dialer = try Dialer(for: url, ca: ca)
        defer { dialer.stop() }
        let replay = SocketReplay(
            url: url.text, dialer: dialer, pace: pace ?? .recorded(speed: 1),
            timeoutMs: (timeout ?? 5) * 1000, token: token, context: context,
            progress: watcher)
        let journal = try replay.journal(at: file)
        defer { if !json { Terminal.showProgress(nil) } }
        return try await replay.play(journal)
    }

    /// The function that shows the progress. Nil without a terminal, or with JSON output.
    private var watcher: (@Sendable (ReplayProgress) -> Void)? {
        guard Terminal.showsProgress, !json else { return nil }
        return { Terminal.showProgress($0.text) }
    }
}
