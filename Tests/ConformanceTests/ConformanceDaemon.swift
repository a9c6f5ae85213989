import RefreshConfiguration
import RefreshServer
import ScenarioKit
import Testing
import WebSocketTransport

/// A whole daemon with the demo's feed, as one without configuration has it, on a free port.
final class ConformanceDaemon {
    private let server: Server
    private let dialer: Dialer
    private let url: String

    init() throws {
        var flags = ConfigurationFlags()
        flags.listeners = [try ListenAddress("127.0.0.1:0")]
        flags.loops = 2
        flags.demo = true
        let file = try ConfigurationFile(text: "", path: "refreshd.yaml")
        server = try Server(Configuration(flags: flags, file: file), log: .silent)
        server.start()
        let port = try #require(server.listeners.first?.port)
        url = "ws://127.0.0.1:\(port)/v1/session"
        dialer = try Dialer()
    }

    deinit {
        dialer.stop()
        server.stop()
    }

    /// It, or it with a mistake.
    func stage(_ mistake: ServerMistake? = nil) -> ServerUnderTest {
        ServerUnderTest(url: url) { [url, dialer] in
            let peer = WebSocketPeer(url: url, dialer: dialer)
            return mistake.map { WrongServer(peer, $0) } ?? peer
        }
    }

    /// Where scenarios play over sockets to it.
    var scenarioStage: ScenarioEnvironment { .daemon(url: url, dialer: dialer) }
}
