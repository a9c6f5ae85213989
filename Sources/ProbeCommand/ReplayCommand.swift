import ArgumentParser
import RefreshProtocol
import RefreshScenario
import WebSocketTransport

/// `refresh-probe replay FILE`
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Replays a recorded session and says whether the same is said again.",
        discussion: """
            FILE is a journal that refreshd --journal wrote. What entered the session is put through \
            a new one in process, and what leaves that is compared byte by byte. With --url what the \
            client said is said to a server, at the recorded pace, and what that tells is compared \
            with what was recorded, but for names, times and how it is put into frames. The first \
            difference is shown with what stands around it. The format, and what is compared, is \
            described in docs/journal.md.

            Exit status: 0 the same, 1 a difference or a line that was changed, 2 a wrong command \
            line, or a file that cannot be read, is no journal, or needs what a URL cannot give, 3 \
            there is no server at the URL, or it says nothing.
            """)

    @Argument(help: "The journal.", completion: .file(extensions: ["jsonl"]))
    var file: String

    @Option(
        help: "Play it to the server at this WebSocket URL.", transform: ServerURL.argument)
    var url: ServerURL?

    @Option(
        help: ArgumentHelp(
            "With wss: believe the authorities in this PEM file instead of the system's.",
            valueName: "file"), completion: .file(extensions: ["pem", "crt"]))
    var ca: String?

    @Option(
        help: ArgumentHelp(
            "With --url: so many times as fast as recorded (default: 1); max: as fast as answers come.",
            valueName: "x"))
    var speed: String?

    @Option(
        help: "With --url: how many seconds it may take until what was recorded comes (default: 5)."
    )
    var timeout: Double?

    @Option(help: "With --url: who the client is, for a journal whose client said so.")
    var token: String?

    @Option(help: "How many frames before and behind the first difference are shown.")
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

    /// Nil: `speed` is invalid.
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
        guard let url else { return try JournalReplay.run(path: file, context: context) }
        let dialer = try Dialer(for: url, ca: ca)
        defer { dialer.stop() }
        let replay = SocketReplay(
            url: url.text, dialer: dialer, pace: pace ?? .recorded(speed: 1),
            patienceMs: (timeout ?? 5) * 1000, token: token, context: context,
            progress: watcher)
        let journal = try replay.journal(at: file)
        defer { if !json { Terminal.showProgress(nil) } }
        return try await replay.play(journal)
    }

    /// Shows the progress; nil without a terminal, or with JSON output.
    private var watcher: (@Sendable (ReplayProgress) -> Void)? {
        guard Terminal.showsProgress, !json else { return nil }
        return { Terminal.showProgress($0.text) }
    }
}
