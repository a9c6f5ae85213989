package import RefreshProtocol
package import RefreshServer

/// A connection to a daemon in process.
package final class SessionPeer: Peer {
    private let daemon: InProcessDaemon
    private let channel = SimulatedChannel()
    private let session: Session
    private var isOver = false

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
        guard !channel.isClosed, !isOver else { throw PeerError("The connection is closed.") }
        let bytes = Array(text.utf8)
        _ = daemon.host.receive(bytes.span, by: session, at: now)
        daemon.settle()
    }

    package func receive(until deadline: Instant) async throws(PeerError) -> PeerEvent? {
        while true {
            if channel.takeWritableRequest() {
                _ = daemon.host.becameWritable(session, at: now)
                daemon.settle()
            }
            if let event = channel.take() {
                if case .closed = event { lose() }
                return event
            }
            guard try await daemon.proceed(until: deadline) else { return nil }
        }
    }

    package func say(_ word: FeedWord, ofFeed feed: String) throws(PeerError) {
        guard !isOver else { throw PeerError("The connection is closed.") }
        daemon.say(word, ofFeed: feed)
    }

    package func idle(until deadline: Instant) async throws(PeerError) {
        _ = try await daemon.proceed(until: deadline)
    }

    package func close() async { lose() }

    package func cut() async { lose() }

    /// Ends the connection. The session may wait for its client to resume.
    private func lose() {
        guard !isOver else { return }
        isOver = true
        daemon.host.closed(session, at: now)
        daemon.settle()
    }
}
