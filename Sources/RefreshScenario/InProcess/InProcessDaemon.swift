internal import RefreshBroker
package import RefreshProtocol
package import RefreshServer

/// A daemon without sockets, on simulated time: its sessions, what finds them again for clients
/// that come back, and its feeds. Time stands still until somebody waits, and then goes from one
/// deadline to the next.
package final class InProcessDaemon {
    package private(set) var now = InProcessDaemon.start
    let host: SessionHost
    private let loads: SimulatedLoads
    private let resumeWindowMs: Int
    private let directory = LoopDirectory()
    private let loop = InProcessLoop()
    /// How many turns were made at this moment.
    private var turns = 0

    /// When the simulated clock starts.
    private static let start = Instant(milliseconds: 1000)
    /// So many turns at one moment are one deadline that does not pass.
    private static let turnsMax = 10_000

    /// `latencyMs`: how long a feed's answer takes; `journal`: where a session is recorded, by its
    /// name.
    package init(
        feeds: [SimulatedFeed], latencyMs: Double, limits: Limits = Limits(),
        journal: @escaping (_ session: String) -> (any JournalSink)? = { _ in nil }
    ) {
        loads = SimulatedLoads(feeds, latencyMs: latencyMs, now: Self.start)
        resumeWindowMs = limits.resumeWindowMs
        let services = SessionServices(
            limits: limits, feeds: feeds.map(\.description), loads: loads,
            metrics: LoopMetrics())
        // Names and tokens are nobody's secret here, and the same in every run.
        var bits = SeededRandom(seed: 0)
        host = SessionHost(
            loop: loop, index: 0, services: services, directory: directory,
            draw: { bits.next() }, journal: journal)
        directory.enter(host, index: 0)
    }

    deinit { directory.close() }

    /// Somebody new on the other end.
    package func connect() -> SessionPeer { SessionPeer(of: self) }

    /// Lets so much time pass that nobody can come back to a session that was left.
    package func expire() async throws(PeerError) {
        let deadline = now.advanced(byMilliseconds: Double(resumeWindowMs + 1))
        while try await proceed(until: deadline) {}
    }

    /// Says what the other side of a feed says, to all sessions that it concerns.
    func say(_ word: FeedWord, ofFeed feed: String) {
        let news: LoadNews
        switch word {
        case .changed:
            directory.feedChanged(feed)
            return settle()
        case .progress(let progress): news = .progressed(progress)
        case .retrying(let afterMs):
            news = .retrying(
                attempt: 2, afterMs: Int(exactly: afterMs.rounded()) ?? .max,
                LoadFailure(.backendFailed, "The backend failed."))
        }
        let tickets = loads.tickets(ofFeed: feed)
        if !tickets.isEmpty { directory.deliver(news, to: tickets) }
        settle()
    }

    /// Does what was posted.
    func settle() {
        while let job = loop.takeJob() { job(now) }
    }

    /// Goes on to the next moment at which something happens, at most to `deadline`; whether
    /// something does.
    func proceed(until deadline: Instant) async throws(PeerError) -> Bool {
        await loads.callBackends()
        guard let next = nextMoment, next <= deadline else {
            advance(to: deadline)
            return false
        }
        advance(to: next)
        turns += 1
        guard turns <= Self.turnsMax else {
            throw PeerError("A deadline of the session does not pass.")
        }
        while let due = loads.takeDue() {
            directory.deliver(.ended(due.outcome), to: [due.ticket])
            settle()
        }
        if loop.takeWake(at: now) { host.woken(at: now) }
        settle()
        return true
    }

    private var nextMoment: Instant? {
        switch (loop.nextWake, loads.nextDelivery) {
        case (let wake?, let delivery?): min(wake, delivery)
        case (let wake, let delivery): wake ?? delivery
        }
    }

    private func advance(to moment: Instant) {
        if moment > now { turns = 0 }
        now = max(now, moment)
        loads.now = now
    }
}
