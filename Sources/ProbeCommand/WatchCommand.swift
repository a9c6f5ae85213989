import ArgumentParser
import Foundation
import RefreshProtocol
import RefreshSession
import ScenarioKit
import WebSocketTransport

/// `refresh-probe watch --url URL`
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Prints the events of the live sessions of a daemon.",
        discussion: """
            Prints one line per event, until the daemon ends or the command is interrupted. The \
            URL leads to a listener for operators (admin in the configuration). If the URL has no \
            path, the path is /v1/watch. If events arrive faster than they can be printed, some \
            are lost, and their number is printed.

            Exit status: 0 the daemon has closed the connection, 2 the command line is invalid, 3 \
            the connection could not be made or was lost.
            """)

    @Option(
        help: "The WebSocket URL of a listener for operators, such as ws://127.0.0.1:9090.",
        transform: ServerURL.argument)
    var url: ServerURL

    @Option(help: "Print only events of the session of this name.")
    var session: String?

    @Option(help: "Print only events of views of this feed.")
    var feed: String?

    @Option(
        help: ArgumentHelp(
            "A token that may `administer`; @FILE reads it from a file.",
            discussion: "A listener for operators requires none.", valueName: "token"))
    var token: String?

    @Flag(help: "Print the events of all nodes of the cluster.")
    var cluster = false

    @Flag(help: "Print the events as received: one JSON object per line.")
    var json = false

    func validate() throws {
        guard !url.target.isEncrypted else {
            throw ValidationError(
                "--url: must begin with ws://; listeners for operators have no TLS")
        }
        guard !url.text.contains("?") else {
            throw ValidationError("--url: must have no query; use --session and --feed")
        }
        if let token, !token.hasPrefix("@") { _ = try Self.validatedToken(token) }
    }

    func run() async throws {
        let authorization = try bearer.map { "Bearer \($0)" }
        let client: DialedClient
        do {
            client = try await Dialer().connect(
                target, subprotocol: ProtocolVersion.watchSubprotocol,
                authorization: authorization)
        } catch {
            let advice = (error as? DialFailure).map { self.advice(on: $0) } ?? ""
            Terminal.printError("\(target): \(error)\(advice)")
            throw ProbeStatus.unreachable
        }
        var hasEvents = false
        while true {
            let isQuiet = !hasEvents && chosen != nil
            switch await client.receive(within: isQuiet ? Self.quiet : .seconds(3600)) {
            case .timedOut:
                guard isQuiet, let chosen else { continue }
                Terminal.printError("no event of \(chosen) yet; still waiting")
                hasEvents = true
            case .message(let bytes, _):
                // `watching` only confirms that watching has begun, with `--cluster` at each node.
                hasEvents = hasEvents || bytes != SessionEvent.watching
                print(String(decoding: bytes, as: UTF8.self))
            case .closed(let code, let reason):
                guard code != 1006 else {
                    Terminal.printError("the connection was lost")
                    throw ProbeStatus.unreachable
                }
                if code != 1000 {
                    Terminal.printError("the daemon closed the connection: \(code) \(reason)")
                }
                return
            }
        }
    }

    /// The token. If the option names a file, the token is read from this file.
    private var bearer: String? {
        get throws {
            guard let token, token.hasPrefix("@") else { return token }
            let file = String(token.dropFirst())
            guard let data = FileManager.default.contents(atPath: file), data.count <= 65_536 else {
                throw ValidationError("--token: \(file) cannot be read")
            }
            let text = String(decoding: data, as: UTF8.self)
            return try Self.validatedToken(text.trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }

    /// Returns the token if it is valid in an HTTP header.
    private static func validatedToken(_ token: String) throws -> String {
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else {
            throw ValidationError("--token: a token consists of visible ASCII without spaces")
        }
        return token
    }

    /// Returns advice for a connection that the daemon refused.
    private func advice(on failure: DialFailure) -> String {
        switch failure {
        case .refused(status: 401) where token == nil:
            "\n  This listener requires a token that may `administer` (--token). A listener for "
                + "operators"
                + " requires none: `admin` in the configuration, or refreshd --admin "
                + "127.0.0.1:9090."
        case .refused(status: 401): "\n  This token is unknown to the daemon."
        case .refused(status: 403):
            "\n  The token may not `administer`, or a proxy on the way refused the request."
        case .refused(status: 404) where cluster:
            "\n  This path has no events to watch, or the daemon has no `cluster`."
        case .refused(status: 404): "\n  This path has no events to watch."
        case .refused(status: 503):
            "\n  `watchersMax` watchers are connected already, or the daemon is stopping."
        case .refused, .urlInvalid, .unreachable, .timedOut: ""
        }
    }

    /// If no event of the chosen session or feed arrives within this time, `refresh-probe` reports
    /// this, because the name may be misspelt.
    private static let quiet = Duration.seconds(2)

    /// A description of the chosen session or feed. Nil if the events of all sessions are printed.
    private var chosen: String? {
        let names = [session.map { "the session \($0)" }, feed.map { "views of the feed \($0)" }]
            .compactMap(\.self)
        return names.isEmpty ? nil : names.joined(separator: ", or ")
    }

    /// The URL of the server with the path and the query for watching.
    private var target: String {
        let url = url.text
        let hasPath = url.dropFirst("ws://".count).contains("/")
        var target = hasPath && !url.hasSuffix("/") ? url : url.trimmed + ProtocolVersion.watchPath
        let all = [("session", session), ("feed", feed), ("cluster", cluster ? "true" : nil)]
        let members = all.compactMap { name, value in
            value.map { "\(name)=\($0.escaped)" }
        }
        if !members.isEmpty { target += "?" + members.joined(separator: "&") }
        return target
    }

    private func print(_ frame: String) {
        if json {
            guard let value = try? JSONValue(parsing: frame) else {
                return Self.reportUnparsable(frame)
            }
            for event in value.array ?? [value] { Terminal.printLine(event.text) }
            return
        }
        guard let lines = WatchedLine.lines(ofFrame: frame) else {
            return Self.reportUnparsable(frame)
        }
        for line in lines { Terminal.printLine(line.text(paint: Terminal.painted)) }
    }

    private static func reportUnparsable(_ frame: String) {
        Terminal.printError("not an event: \(frame.prefix(200).debugDescription)")
    }
}

extension String {
    /// The text without trailing slashes.
    fileprivate var trimmed: String {
        var text = self
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }

    /// The text, escaped for a value in a query.
    fileprivate var escaped: String {
        utf8.map { byte in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || "-._~".utf8.contains(byte)
            return isPlain
                ? String(UnicodeScalar(byte))
                : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
