internal import RefreshBroker
package import RefreshProtocol
internal import RefreshServer
package import RefreshSession

/// A daemon without sockets, on simulated time: its sessions, the registry through which clients
/// resume them, and its feeds. While a caller waits, simulated time advances from one deadline to
/// the next.
package final class InProcessDaemon {
    package private(set) var now = InProcessDaemon.start
    let host: SessionHost
    private let loads: SimulatedLoads
    private let resumeWindowMs: Int
    private let directory = LoopDirectory()
    private let loop = InProcessLoop()
    /// The number of events handled at the current simulated time.
    private var stepCount = 0

    /// The initial time of the simulated clock.
    private static let start = Instant(milliseconds: 1000)
    /// The maximum number of events at one simulated time. More events mean an error: a deadline
    /// that is always in the past.
    private static let stepsAtOneMomentMax = 10_000

    /// Creates a daemon. `latencyMs` is the time that a feed takes to answer. `journal` returns the
    /// sink for the journal of the session with the given name.
    package init(
        feeds: [SimulatedFeed], latencyMs: Double, limits: Limits = Limits(),
        journal: @escaping (_ session: String) -> (any JournalSink)? = { _ in nil }
    ) {
        loads = SimulatedLoads(feeds, latencyMs: latencyMs, now: Self.start)
        resumeWindowMs = limits.resumeWindowMs
        let services = SessionServices(
            limits: limits, feeds: feeds.map(\.description), loads: loads,
            metrics: SessionMetrics())
        services.itemHash = SimulatedLoads.itemHash
        // Names and tokens of sessions in process are not secret. They are the same in every run.
        var bits = SeededRandom(seed: 0)
        host = SessionHost(
            loop: loop, index: 0, services: services, directory: directory,
            draw: { bits.next() }, journal: journal)
        directory.register(host, index: 0)
    }

    deinit { directory.close() }

    /// Opens a connection from a new client.
    package func connect() -> SessionPeer { SessionPeer(of: self) }

    /// Advances simulated time past the resume window, so that no session without a connection can
    /// be resumed.
    package func advancePastResumeWindow() async throws(PeerError) {
        let deadline = now.advanced(byMilliseconds: Double(resumeWindowMs + 1))
        while try await advanceToNextEvent(until: deadline) {}
    }

    /// Simulates an event of a feed's backend. A change of the feed is delivered to all sessions
    /// that use the feed, and any other event to the running loads of the feed.
    func simulate(_ word: FeedEvent, ofFeed feed: String) {
        let event: LoadEvent
        switch word {
        case .changed(let count, let spreadMs):
            var policy = FeedPolicy.Changes()
            policy.spreadMs = Int(exactly: spreadMs.rounded()) ?? .max
            directory.applyChangePolicies([feed: policy])
            loads.makeCachedPagesStale(ofFeed: feed)
            directory.feedChanged(FeedChange(feed, count: NewerCount(count)))
            return runPostedJobs()
        case .progress(let progress): event = .progressed(progress)
        case .retrying(let afterMs):
            event = .retrying(
                attempt: 2, afterMs: Int(exactly: afterMs.rounded()) ?? .max,
                LoadFailure(.backendFailed, "The backend failed."))
        }
        let tickets = loads.tickets(ofFeed: feed)
        if !tickets.isEmpty { directory.deliver(event, to: tickets) }
        runPostedJobs()
    }

    /// Runs the jobs that were posted to the loop.
    func runPostedJobs() {
        while let job = loop.dequeueJob() { job(now) }
    }

    /// Advances to the next event, but not past `deadline`. Returns whether there was an event.
    func advanceToNextEvent(until deadline: Instant) async throws(PeerError) -> Bool {
        await loads.callBackends()
        for feed in loads.consumeChangedFeeds() {
            simulate(.changed(spreadMs: feed.changesSpreadMs), ofFeed: feed.description.name)
        }
        for report in loads.consumeReports() {
            directory.feedChanged(report)
            runPostedJobs()
        }
        guard let next = nextEventTime, next <= deadline else {
            advance(to: deadline)
            return false
        }
        advance(to: next)
        stepCount += 1
        guard stepCount <= Self.stepsAtOneMomentMax else {
            throw PeerError("A deadline of the session is always in the past.")
        }
        while let due = loads.dequeueDueDelivery() {
            directory.deliver(due.event, to: [due.ticket])
            runPostedJobs()
        }
        while let edit = loads.dequeueEndedEdit() {
            directory.deliver(
                .edited(edit.ticket, edit.request, edit.outcome), to: edit.ticket.session)
            edit.change.map { directory.feedChanged($0) }
            runPostedJobs()
        }
        if loop.consumeDueWakeup(at: now) { host.wakeupFired(at: now) }
        runPostedJobs()
        return true
    }

    private var nextEventTime: Instant? {
        switch (loop.nextWake, loads.nextDelivery) {
        case (let wake?, let delivery?): min(wake, delivery)
        case (let wake, let delivery): wake ?? delivery
        }
    }

    private func advance(to moment: Instant) {
        if moment > now { stepCount = 0 }
        now = max(now, moment)
        loads.now = now
    }
}
