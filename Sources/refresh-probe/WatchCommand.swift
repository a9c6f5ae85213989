import ArgumentParser
import Foundation
import RefreshProtocol
import RefreshScenario
import WebSocketTransport

/// `refresh-probe watch --url URL`
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Prints what happens in the live sessions of a daemon.",
        discussion: """
            A line an event, until the daemon ends or it is interrupted. The URL is that of a listener \
            for operators (admin in the configuration); /v1/watch is asked for unless it names another \
            path. What comes faster than it can be printed is lost, and its number is printed.

            Exit status: 0 the daemon has ended the connection, 2 a wrong command line, 3 it could not be \
            made or was lost.
            """)

    @Option(
        help: "The WebSocket URL of a listener for operators, such as ws://127.0.0.1:9090.",
        transform: ServerURL.argument)
    var url: ServerURL

    @Option(help: "Only the session of this name.")
    var session: String?

    @Option(help: "Only what concerns views of this feed.")
    var feed: String?

    @Flag(help: "Print the events as they come: one JSON object a line.")
    var json = false

    func validate() throws {
        guard !url.target.isEncrypted else {
            throw ValidationError(
                "--url: a URL that begins with ws://; operators' listeners have no TLS")
        }
        guard !url.text.contains("?") else {
            throw ValidationError("--url: without a query; there are --session and --feed")
        }
    }

    func run() async throws {
        let client: DialedClient
        do {
            client = try await Dialer().connect(
                target, subprotocol: ProtocolVersion.watchSubprotocol)
        } catch {
            Terminal.complain("\(target): \(error)")
            throw ProbeStatus.unreachable
        }
        while true {
            switch await client.receive(within: .seconds(3600)) {
            case .timedOut: continue
            case .message(let bytes, _):
                print(String(decoding: bytes, as: UTF8.self))
            case .closed(let code, let reason):
                guard code != 1006 else {
                    Terminal.complain("the connection was lost")
                    throw ProbeStatus.unreachable
                }
                if code != 1000 { Terminal.complain("the daemon has closed: \(code) \(reason)") }
                return
            }
        }
    }

    /// With path and query.
    private var target: String {
        let url = url.text
        let hasPath = url.dropFirst("ws://".count).contains("/")
        var target = hasPath && !url.hasSuffix("/") ? url : url.trimmed + ProtocolVersion.watchPath
        let members = [("session", session), ("feed", feed)].compactMap { name, value in
            value.map { "\(name)=\($0.escaped)" }
        }
        if !members.isEmpty { target += "?" + members.joined(separator: "&") }
        return target
    }

    private func print(_ frame: String) {
        if json {
            let events = (try? JSONValue(parsing: frame))?.array
            for event in events?.map(\.text) ?? [frame] { Terminal.put(event) }
            return
        }
        guard let lines = WatchedLine.lines(ofFrame: frame) else {
            return Terminal.complain("not understood: \(frame.prefix(200).debugDescription)")
        }
        for line in lines { Terminal.put(line.text(paint: Terminal.painted)) }
    }

}

extension String {
    /// Without slashes at its end.
    fileprivate var trimmed: String {
        var text = self
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }

    /// As a value in a query.
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
