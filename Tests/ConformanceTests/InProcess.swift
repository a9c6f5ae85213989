import Conformance
import ScenarioKit

/// Sessions without sockets, on simulated time.
enum InProcess {
    /// The cases that sessions in process can run. These exclude the probes, which need a socket,
    /// and the cases about limits of the transport.
    static let cases = ConformanceSuite.cases.filter { subject in
        switch subject.body {
        case .probe: false
        case .script, .exchange: !ofTheTransport.contains(subject.name)
        }
    }

    /// The cases about limits of the transport.
    private static let ofTheTransport: Set = [
        "frame-too-large", "too-many-frames", "too-many-bytes",
    ]

    /// Returns a correct server, or a server with the mistake if one is given.
    static func stage(_ mistake: ServerMistake? = nil) throws -> ServerUnderTest {
        let feed = try SimulatedFeed.demo()
        return ServerUnderTest {
            let peer = SessionPeer(feeds: [feed] + SimulatedFeed.catalogues, latencyMs: 20)
            return mistake.map { WrongServer(peer, $0) } ?? peer
        }
    }
}
