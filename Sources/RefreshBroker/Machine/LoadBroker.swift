package import RefreshProtocol

/// The broker's machine: turns wishes to load into well-behaved calls.
///
/// ```
/// started ─▶ kept answer? ─▶ tell
///    │ equal load under way: joins it
///    ▼                 queue full: backendBusy          temporary failure: retrying
/// breaker ─▶ room? ─▶ queued ─▶ calling ─▶ answered ─▶ tell all ◀─────────────┐
///    │ open            ▲                      │                               │
///    ▼                 └──────── pausing ◀────┴─ may be tried again; if not ──┘
/// backendSuspended
/// ```
///
/// - Equal requests that overlap share one load: its queueing, its calls, its retries.
/// - Everybody who waits has a deadline of his own. When the last one left or ran out of time the
///   call is aborted.
/// - A call's deadline is that of the last of those who wait when it begins. Who joins later may
///   have more time; the call then ends at its own deadline all the same, as if the backend had
///   failed with `backendTimedOut`, and may be tried again. Otherwise a call that hangs would be
///   kept alive for ever by new waiters, and backends end by that deadline anyway.
/// - When a feed changes its calls that run are overtaken: those who wait for one get its answer,
///   which is not kept, and who comes later begins another load.
/// - A call in the background, for an answer that is stale, has `loadDeadlineMs`.
///
/// A pure value: no clock, task or lock, and its random numbers come from the seed. The driver
/// passes every fact to `handle` with the time, does the effects in order, passes each call's
/// answer back under the call's `FlightID`, and calls again with `.clockAdvanced` at
/// `nextDeadline`. It guarantees that every started waiter gets exactly one `.ended`, whatever
/// order facts come in; no fact traps. Source: docs/backends.md, "What the broker does".
package struct LoadBroker<Waiter: Hashable & Sendable>: Sendable {
    /// What happened.
    package enum Event: Hashable, Sendable {
        /// A waiter wants a page until `deadline`.
        case started(LoadWish, Waiter, deadline: Instant)
        /// A waiter does not want its page any more.
        case left(Waiter, because: LeaveReason = .unwanted)
        /// A backend call says how far it is.
        case progressed(FlightID, Double)
        /// A backend call returned.
        case answered(FlightID, Result<Page, LoadFailure>)
        /// The feed of that name has newer data.
        case feedChanged(String)
        /// Nothing but time passed.
        case clockAdvanced
        /// Other rules hold. Feeds that are `remade` have something else behind them: nobody joins
        /// what they were asked before, and nothing that was kept of them is given again.
        case rulesChanged(BrokerRules, remade: Set<String>)
        /// The daemon stops: everybody's load ends now, and none begins.
        case stopped
    }

    /// What to do.
    package enum Effect: Hashable, Sendable {
        /// Ask the feed's backend; answer with `.answered` exactly once.
        case call(CallOrder)
        /// Nobody waits for this call: end it. Its answer is still expected.
        case abort(FlightID)
        /// Tell these waiters, at least one, in their order of arrival.
        case tell([Waiter], LoadNews)
    }

    struct FeedState: Sendable {
        let name: String
        var group: Int
        var policy: FeedPolicy
        var tally = FeedTally()
    }

    /// Where a waiter sits.
    struct Seat: Sendable {
        let flight: UInt64
        /// Order of arrival, and the identity of its entry in `deadlines`.
        let serial: UInt64
    }

    let loadsInFlightMax: Int
    var loadDeadlineMs: Int
    /// Those that are configured now; what was counted of others is kept.
    var feedNumbers: [String: Int] = [:]
    var isStopped = false
    var feeds: [FeedState] = []
    var groups: [BackendGroup] = []
    var cache: PageCache
    var random: SeededRandom
    /// Loads that somebody waits for.
    var flights: [UInt64: Flight<Waiter>] = [:]
    /// Those that may be joined, by what they ask for: all but the overtaken.
    var awaited: [RequestKey: UInt64] = [:]
    /// Those of pages that follow, by their lists.
    var followingFlights = ListMembers<UInt64>()
    var calls: [FlightID: RunningCall] = [:]
    var seats: [Waiter: Seat] = [:]
    var deadlines = DueQueue<LoadDeadline>()
    var lastFlight: UInt64 = 0
    var lastCall: UInt64 = 0
    var lastSerial: UInt64 = 0
    var late = 0
    var lateProgress = 0
    /// What changed since `takeChanges`.
    var changedFeeds: Set<Int> = []
    var changedGroups: Set<Int> = []

    /// `seed` decides the pauses before retries.
    package init(_ rules: BrokerRules, seed: UInt64) {
        loadsInFlightMax = max(1, rules.loadsInFlightMax)
        loadDeadlineMs = 1
        cache = PageCache(bytesMax: rules.cacheBytesMax)
        random = SeededRandom(seed: seed)
        adopt(rules)
    }

    /// Takes one fact and appends what to do to `effects`, in order.
    ///
    /// Deadlines that are over at `now` come first, so that the outcome depends on times and not on
    /// when a timer happened to fire.
    package mutating func handle(_ event: Event, at now: Instant, into effects: inout [Effect]) {
        if case .answered(let id, _) = event { calls[id]?.hasReturned = true }
        expire(at: now, into: &effects)
        switch event {
        case .started(let wish, let waiter, let deadline):
            start(wish, for: waiter, until: deadline, at: now, into: &effects)
        case .left(let waiter, let reason):
            leave(waiter, because: reason, at: now, into: &effects)
        case .progressed(let id, let value):
            progress(of: id, value, at: now, into: &effects)
        case .answered(let id, let answer):
            finish(id, with: answer, at: now, into: &effects)
        case .feedChanged(let name):
            // A backend may speak of a feed that is not configured.
            if let feed = feedNumbers[name] { change(feed: feed, at: now) }
        case .clockAdvanced:
            break
        case .rulesChanged(let rules, let remade):
            change(to: rules, remade: remade, at: now, into: &effects)
        case .stopped:
            stop(into: &effects)
        }
        // A pause may be none at all.
        expire(at: now, into: &effects)
        tidyDeadlines()
    }

    /// When `.clockAdvanced` is wanted; nil while nobody waits and no call runs in the background.
    package var nextDeadline: Instant? { deadlines.first?.deadline }

    /// Backend calls that have not returned, with the abandoned ones.
    package var callsInFlight: Int { calls.count }

    /// Whether nothing is under way: nobody waits, and every call has returned.
    package var isEmpty: Bool {
        flights.isEmpty && awaited.isEmpty && followingFlights.count == 0 && calls.isEmpty
            && seats.isEmpty
            && groups.allSatisfy { $0.gate.running == 0 && $0.gate.queued == 0 }
    }

    /// The phase of the load that `request` would join.
    func phase(of request: LoadRequest) -> FlightPhase? {
        awaited[RequestKey(request)].flatMap { flights[$0]?.phase }
    }

    /// Whether a call has not returned: true, and somebody waits for it; false, and nobody does.
    func isAwaited(_ id: FlightID) -> Bool? { calls[id].map { $0.flight != nil } }
}
