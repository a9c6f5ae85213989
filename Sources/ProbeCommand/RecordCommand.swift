import ArgumentParser
import Glibc
import RefreshConfiguration
import RefreshProtocol
import RefreshServer
import ScenarioKit
import SessionProxy
import WebSocketTransport

/// `refresh-probe record --listen … --forward … --journal …`
struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Stands between clients and a server, and records each connection in a journal.",
        discussion: """
            Clients connect to the address of --listen. For each client, a connection to the server \
            at the URL of --forward is made, and frames are passed on in both directions. Each \
            connection is recorded in a journal of its own, with the times of the server's clock. \
            SIGINT or SIGTERM ends the recording. docs/refresh-probe.md describes what such a \
            journal contains.

            Exit status: 0 the recording was ended by a signal and its journals are complete, 2 the \
            command line is invalid, or a journal cannot be written, 3 the address of --listen \
            cannot be used.
            """)

    @Option(
        help: ArgumentHelp(
            "Listen at this address, such as 127.0.0.1:9000; port 0 selects a free port.",
            valueName: "address:port"), transform: ListenAddress.argument)
    var listen: ListenAddress

    @Option(
        help: ArgumentHelp(
            "The WebSocket URL of the server. Without a path, the path of the client is requested.",
            valueName: "url"), transform: ServerURL.argument)
    var forward: ServerURL

    @Option(
        help: ArgumentHelp(
            "Record in this new file, or in new files in this folder. The files of further "
                + "connections have the number of the connection in their names.",
            valueName: "path"), completion: .file())
    var journal: String

    @Option(
        help: ArgumentHelp(
            "With wss: trust the certificate authorities in this PEM file instead of the system's.",
            valueName: "file"), completion: .file(extensions: ["pem", "crt"]))
    var ca: String?

    @Flag(help: "Record tokens, cookies and values in queries as they are, without masking them.")
    var keepTokens = false

    @Flag(help: "At the end, print one JSON object.")
    var json = false

    func validate() throws {
        try ServerURL.check(ca: ca, for: forward)
    }

    func run() throws {
        guard let signals = SignalPipe([SIGINT, SIGTERM]) else {
            Terminal.printError("too many open files")
            throw ProbeStatus.unusable
        }
        let proxy = try start()
        for address in proxy.addresses {
            Terminal.printError("recording at ws://\(address), forwarding to \(forward)")
        }
        _ = signals.waitForSignal()
        // A second signal ends the process at once.
        signals.restoreDefaultHandlers()
        let summary = proxy.stop()
        Terminal.printLine(json ? Self.json(of: summary).text : Self.text(of: summary))
        if !summary.isComplete { throw ProbeStatus.unusable }
    }

    private func start() throws -> RecordingProxy {
        let authorities =
            forward.target.isEncrypted ? try Dialer.authorities(ca) : nil
        do {
            return try RecordingProxy(
                RecordingProxy.Settings(
                    server: forward, place: try RecordingPlace(path: journal),
                    keepsTokens: keepTokens, report: { Terminal.printError($0) }),
                literals: listen.literals, port: listen.port, log: DaemonLog(LogSettings()),
                trusting: authorities)
        } catch let error as ConfigurationError {
            Terminal.printError("\(error)")
            throw ProbeStatus.unusable
        } catch let error as TransportError {
            Terminal.printError("\(error)")
            throw ProbeStatus.unreachable
        }
    }

    private static func text(of summary: RecordingProxy.Summary) -> String {
        func counted(_ count: Int, _ noun: String) -> String {
            "\(count) \(noun)\(count == 1 ? "" : "s")"
        }
        var text =
            "\(counted(summary.files.count, "connection")), "
            + "\(counted(summary.clientFrames, "frame")) from clients, "
            + "\(counted(summary.serverFrames, "frame")) from the server"
        if summary.unreachable > 0 {
            text += "; the server was not reached for \(counted(summary.unreachable, "connection"))"
        }
        if !summary.isComplete { text += "; a journal is not complete" }
        return text
    }

    private static func json(of summary: RecordingProxy.Summary) -> JSONValue {
        .object([
            .init("connections", .number(Double(summary.files.count))),
            .init("clientFrames", .number(Double(summary.clientFrames))),
            .init("serverFrames", .number(Double(summary.serverFrames))),
            .init("unreachable", .number(Double(summary.unreachable))),
            .init("complete", .bool(summary.isComplete)),
            .init("files", .array(summary.files.map(JSONValue.string))),
        ])
    }
}
