package import RefreshProtocol
package import ScenarioKit
package import WireContract

/// A connection to a daemon. It checks the daemon's messages against the contract of the protocol.
/// It collects violations, and forwards all messages unchanged.
package final class CheckedPeer: Peer {
    private let peer: any Peer
    private let check: MessageCheck
    /// The violations in the daemon's messages so far.
    package private(set) var violations: [MessageCheck.Violation] = []
    /// The number of frames received from the daemon so far.
    package private(set) var frameCount = 0

    package init(_ peer: any Peer, check: MessageCheck) {
        self.peer = peer
        self.check = check
    }

    package var now: Instant { peer.now }

    package func send(_ text: String) async throws(PeerError) { try await peer.send(text) }

    package func receive(until deadline: Instant) async throws(PeerError) -> PeerEvent? {
        let event = try await peer.receive(until: deadline)
        if case .frame(let text) = event {
            frameCount += 1
            violations += check.violations(inFrame: text, from: .daemon)
        }
        return event
    }

    package func simulate(_ word: FeedEvent, ofFeed feed: String) throws(PeerError) {
        try peer.simulate(word, ofFeed: feed)
    }

    package func send(_ text: String, lateMs: Double) async throws(PeerError) {
        try await peer.send(text, lateMs: lateMs)
    }

    package func idle(until deadline: Instant) async throws(PeerError) {
        try await peer.idle(until: deadline)
    }

    package var nextDue: Instant? { peer.nextDue }

    package func close() async { await peer.close() }

    package func cut() async { await peer.cut() }
}
