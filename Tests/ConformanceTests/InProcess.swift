import Conformance
import ScenarioKit

/// Sessions without sockets, on simulated time.
enum InProcess {
    /// What can be asked of them: all but what the transport does, or more than one connection.
    static let cases = ConformanceSuite.cases.filter { subject in
        switch subject.body {
        case .probe: false
        case .script, .exchange: !ofTheTransport.contains(subject.name)
        }
    }

    /// What is bounded below the session.
    private static let ofTheTransport: Set = [
        "frame-too-large", "too-many-frames", "too-many-bytes",
    ]

    /// A right server, or one with a mistake.
    static func stage(_ mistake: ServerMistake? = nil) throws -> ServerUnderTest {
        let feed = try SimulatedFeed.demo()
        return ServerUnderTest {
            let peer = SessionPeer(feeds: [feed], latencyMs: 20)
            return mistake.map { WrongServer(peer, $0) } ?? peer
        }
    }
}
