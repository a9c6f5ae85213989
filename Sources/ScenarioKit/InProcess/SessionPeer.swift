package import RefreshProtocol
internal import RefreshServer
package import RefreshSession

/// A client's connection to a daemon that runs in process.
package final class SessionPeer: Peer {
    private let daemon: InProcessDaemon
    private let channel = SimulatedChannel()
    private let session: Session
    private var hasEnded = false

    /// Creates a connection to a new daemon. `latencyMs` is the time a feed takes to answer.
    /// `journal` is the sink for the journal of the session.
    package convenience init(
        feeds: [SimulatedFeed], latencyMs: Double, limits: Limits = Limits(),
        journal: (any JournalSink)? = nil
    ) {
        self.init(
            of: InProcessDaemon(
                feeds: feeds, latencyMs: latencyMs, limits: limits, journal: { _ in journal }))
    }

    init(of daemon: InProcessDaemon) {
        self.daemon = daemon
        session = daemon.host.opened(channel, at: daemon.now)
    }

    package var now: Instant { daemon.now }

    package func send(_ text: String) async throws(PeerError) {
        guard !channel.isClosed, !hasEnded else { throw PeerError("The connection is closed.") }
        let bytes = Array(text.utf8)
        _ = daemon.host.receive(bytes.span, by: session, at: now)
        daemon.runPostedJobs()
    }

    package func receive(until deadline: Instant) async throws(PeerError) -> PeerEvent? {
        while true {
            if channel.consumeWritableRequest() {
                _ = daemon.host.becameWritable(session, at: now)
                daemon.runPostedJobs()
            }
            if let event = channel.dequeueEvent() {
                if case .closed = event { endConnection() }
                return event
            }
            guard try await daemon.advanceToNextEvent(until: deadline) else { return nil }
        }
    }

    package func simulate(_ word: FeedEvent, ofFeed feed: String) throws(PeerError) {
        guard !hasEnded else { throw PeerError("The connection is closed.") }
        daemon.simulate(word, ofFeed: feed)
    }

    package func idle(until deadline: Instant) async throws(PeerError) {
        _ = try await daemon.advanceToNextEvent(until: deadline)
    }

    package func close() async { endConnection() }

    package func cut() async { endConnection() }

    /// Ends the connection. The session may continue to exist without a connection, until its
    /// client resumes it.
    private func endConnection() {
        guard !hasEnded else { return }
        hasEnded = true
        daemon.host.closed(session, at: now)
        daemon.runPostedJobs()
    }
}
