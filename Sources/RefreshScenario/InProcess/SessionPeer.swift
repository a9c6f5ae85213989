internal import RefreshBroker
package import RefreshProtocol
package import RefreshServer

/// A session of the daemon without a socket, on simulated time: time stands still until somebody waits,
/// and then goes from one deadline to the next.
package final class SessionPeer: Peer {
    package private(set) var now = SessionPeer.start
    private let channel = SimulatedChannel()
    private let loads: SimulatedLoads
    private let session: Session
    private var isOver = false

    /// When the simulated clock starts.
    private static let start = Instant(milliseconds: 1000)

    /// `latencyMs`: how long a feed's answer takes; `journal`: where the session is recorded.
    package init(
        feeds: [SimulatedFeed], latencyMs: Double, limits: Limits = Limits(),
        journal: (any JournalSink)? = nil
    ) {
        loads = SimulatedLoads(feeds, latencyMs: latencyMs, now: Self.start)
        let services = SessionServices(
            limits: limits, feeds: feeds.map(\.description), loads: loads,
            metrics: LoopMetrics())
        session = Session(
            key: SessionKey(loop: 0, slot: 0, generation: 0), name: "scenario",
            channel: channel, services: services, now: Self.start,
            journal: journal)
    }

    package func send(_ text: String) async throws(PeerError) {
        guard !channel.isClosed, !isOver else { throw PeerError("The connection is closed.") }
        let bytes = Array(text.utf8)
        session.receive(bytes.span, at: now)
    }

    package func receive(until deadline: Instant) async throws(PeerError) -> PeerEvent? {
        while true {
            if channel.takeWritableRequest() { session.becameWritable(at: now) }
            if let event = channel.take() {
                if case .closed = event { end() }
                return event
            }
            if isOver {
                advance(to: deadline)
                return nil
            }
            await loads.callBackends()
            guard let next = nextMoment, next <= deadline else {
                advance(to: deadline)
                return nil
            }
            advance(to: next)
            try proceed()
        }
    }

    package func say(_ word: FeedWord, ofFeed feed: String) throws(PeerError) {
        guard !isOver else { throw PeerError("The connection is closed.") }
        let news: LoadNews
        switch word {
        case .changed: return session.feedChanged(feed, at: now)
        case .progress(let progress): news = .progressed(progress)
        case .retrying(let afterMs):
            news = .retrying(
                attempt: 2, afterMs: Int(afterMs),
                LoadFailure(.backendFailed, "The backend failed."))
        }
        for ticket in loads.tickets(ofFeed: feed) { session.loadNews(ticket, news, at: now) }
    }

    package func close() async { end() }

    private var nextMoment: Instant? {
        switch (session.nextDeadline, loads.nextDelivery) {
        case (let deadline?, let delivery?): min(deadline, delivery)
        case (let deadline, let delivery): deadline ?? delivery
        }
    }

    private func advance(to moment: Instant) {
        now = max(now, moment)
        loads.now = now
    }

    /// Delivers the answers and keeps the deadlines that are due.
    private func proceed() throws(PeerError) {
        while let due = loads.takeDue() {
            session.loadEnded(due.ticket, due.outcome, at: now)
        }
        guard let deadline = session.nextDeadline, deadline <= now else { return }
        session.wake(at: now)
        if let next = session.nextDeadline, next <= now {
            throw PeerError("A deadline of the session does not pass.")
        }
    }

    private func end() {
        guard !isOver else { return }
        isOver = true
        session.channelClosed(at: now)
    }
}
