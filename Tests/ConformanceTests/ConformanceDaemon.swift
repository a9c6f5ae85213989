import Foundation
import RefreshConfiguration
import RefreshProtocol
import RefreshServer
import ScenarioKit
import Testing
import WebSocketTransport

/// A whole daemon on a free port. It has the demo's feed and the catalogue feeds `edited`,
/// `letters`, `board` and `rows`, and is otherwise configured like a daemon without a configuration
/// file.
final class ConformanceDaemon {
    private let server: Server
    private let dialer: Dialer
    private let url: String
    private let pages = Process()

    init() throws {
        var flags = ConfigurationFlags()
        flags.listeners = [try ListenAddress("127.0.0.1:0")]
        flags.loops = 2
        flags.demo = true
        let feeds = try Self.startPages(pages)
        let file = try ConfigurationFile(text: Self.feeds + feeds, path: "refreshd.yaml")
        server = try Server(Configuration(flags: flags, file: file), log: .silent)
        server.start()
        let port = try #require(server.listeners.first?.port)
        url = "ws://127.0.0.1:\(port)/v1/session"
        dialer = try Dialer()
    }

    /// The feeds `edited` and `letters`, served by scripts/checks/catalogue.py.
    private static let feeds = """
        backends:
          fruits:
            { kind: exec, command: [/usr/bin/python3, -B, \(catalogue)] }
        feeds:
          edited:
            {
              backend: fruits, paging: page, itemKey: /id, size: 20,
              parameters: { tag: text, edits: text },
            }
          letters:
            {
              backend: fruits, paging: page, itemKey: /id, sectionKey: /letter, size: 20,
              parameters: { above: integer },
            }

        """

    /// Starts the backend of the feeds `board` and `rows`. Returns the lines of their
    /// configuration. The backend ends when its standard input does.
    private static func startPages(_ pages: Process) throws -> String {
        let output = Pipe()
        pages.executableURL = URL(filePath: "/usr/bin/python3")
        pages.arguments = ["-B", catalogue, "http"]
        pages.standardInput = Pipe()
        pages.standardOutput = output
        try pages.run()
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n"),
            let byte = try output.fileHandleForReading.read(upToCount: 1)
        {
            line += byte
        }
        let text = String(decoding: line, as: UTF8.self)
        return try #require(JSONValue(parsing: text).string)
    }

    private static let catalogue = PageAnchors.file("scripts/checks/catalogue.py").path

    deinit {
        dialer.stop()
        server.stop()
        pages.terminate()
    }

    /// Returns the daemon as the server under test, with a mistake if one is given.
    func stage(_ mistake: ServerMistake? = nil) -> ServerUnderTest {
        ServerUnderTest(url: url) { [url, dialer] in
            let peer = WebSocketPeer(url: url, dialer: dialer)
            return mistake.map { WrongServer(peer, $0) } ?? peer
        }
    }

    /// The environment that runs scenarios against the daemon over sockets.
    var scenarioStage: ScenarioEnvironment { .daemon(url: url, dialer: dialer) }
}
