package import RefreshProtocol

/// The other end of a scripted session: a daemon over a WebSocket, or a session in process.
///
/// Used from one task. `receive` is the only way time passes.
package protocol Peer: AnyObject {
    /// The client's clock.
    var now: Instant { get }
    /// Sends one text frame.
    func send(_ text: String) async throws(PeerError)
    /// What comes next from the daemon; nil when nothing came by `deadline`, which is then past.
    func receive(until deadline: Instant) async throws(PeerError) -> PeerEvent?
    /// Says what only the other side of a feed can say.
    func say(_ word: FeedWord, ofFeed feed: String) throws(PeerError)
    /// Leaves, without waiting for an answer.
    func close() async
    /// Cuts the connection off, as a lost network does.
    func cut() async
    /// Sends one text frame that arrives so much later than what is sent behind it.
    func send(_ text: String, lateMs: Double) async throws(PeerError)
    /// Lets time pass until `deadline`, or until something may have come on a connection to the
    /// same daemon.
    func idle(until deadline: Instant) async throws(PeerError)
    /// When something is due that it holds back; nil: it holds nothing back.
    var nextDue: Instant? { get }
}

extension Peer {
    /// Where there is no network, leaving is all there is.
    package func cut() async { await close() }

    /// Nothing overtakes anything on a connection as it is.
    package func send(_ text: String, lateMs: Double) async throws(PeerError) {
        throw PeerError("Nothing comes late on this connection.")
    }

    /// On real time: a moment.
    package func idle(until deadline: Instant) async throws(PeerError) {
        let leftMs = deadline.milliseconds(since: now)
        try? await Task.sleep(for: .milliseconds(min(1, max(0, leftMs))))
    }

    package var nextDue: Instant? { nil }

    /// A daemon's feeds are everybody's: nobody changes them for one client.
    package func say(_ word: FeedWord, ofFeed feed: String) throws(PeerError) {
        throw PeerError("What a feed says can be scripted in process only.")
    }
}

/// What a daemon does to its client.
package enum PeerEvent: Hashable, Sendable {
    /// One text frame.
    case frame(String)
    /// The connection is gone; nothing follows. Nil: without a code.
    case closed(code: UInt16?, reason: String)
}

/// Why a connection does not work: it could not be made, or not be written to.
package struct PeerError: Error, Hashable, Sendable {
    package var message: String

    package init(_ message: String) { self.message = message }
}
