package import RefreshProtocol

/// The broker's state machine. It turns load requests into backend calls and applies the cache, the
/// limits, the retries and the circuit breakers.
///
/// ```
/// started ─▶ cached answer? ─▶ deliver
///    │ equal load running: joins it
///    ▼                 queue full: backendBusy          temporary failure: retrying
/// breaker ─▶ free? ─▶ queued ─▶ calling ─▶ answered ─▶ deliver  ◀─────────────┐
///    │ open            ▲                      │                               │
///    ▼                 └──────── pausing ◀────┴─ may be tried again; if not ──┘
/// backendSuspended
/// ```
///
/// - Equal requests that overlap share one load, with one place in the queue, its calls and its
///   retries.
/// - A series is a load of several pages. Each page is requested like any other page. The series
///   ends with one answer that contains all pages, or with the first failure.
/// - A waiter is a session's load that waits for an answer. Every waiter has its own deadline. When
///   no waiter, series or cache entry needs the answer any more, the call is aborted.
/// - A call's deadline is the latest deadline of the waiters at its start. A waiter that joins
///   later can have a later deadline, but the call still ends at its own deadline. The load is then
///   treated as if the backend had failed with `backendTimedOut`, and may be retried. If later
///   waiters extended the deadline, they could keep a hanging call alive for ever.
/// - When a feed changes, its running calls become outdated. Their waiters get the answer, but the
///   answer is not cached. Later requests start another load.
/// - A background call, which replaces a stale answer, has the deadline `loadDeadlineMs`.
/// - In a cluster, a load first asks the owner of its request, if the owner is another node. If the
///   owner does not answer, the load takes the path above.
///
/// A `LoadBroker` is a value without clock, task or lock, and its random numbers come from the
/// seed. The owner passes every event to `handle` with the time, and performs the effects in order.
/// The owner passes each call's answer back with the call's `CallID`, and sends `.clockAdvanced` at
/// `nextDeadline`. The machine guarantees exactly one `.ended` for every started waiter (for a
/// look-up: exactly one `.lookUpEnded`; for an edit: exactly one `.ended`, `.edited` or
/// `.editUnknown`), in any order of events. No event causes a trap. Source: docs/backends.md, "What
/// the broker does".
package struct LoadBroker<Waiter: Hashable & Sendable>: Sendable {
    /// An input of the state machine.
    package enum Event: Hashable, Sendable {
        /// A waiter requests a page, which must arrive before `deadline`. Or it requests a look-up,
        /// which ends immediately.
        case started(BrokerRequest, Waiter, deadline: Instant)
        /// A waiter does not need its page, because it has cancelled its load or its time is over.
        case waiterCancelled(Waiter, because: LeaveReason = .unwanted)
        /// A waiter requests an edit, which must end before `deadline`.
        case editStarted(EditRequest, Waiter, deadline: Instant)
        /// A backend call reports its progress.
        case progressed(CallID, Double)
        /// A backend call returned.
        case answered(CallID, Result<Page, LoadFailure>)
        /// A backend call for an edit returned.
        case edited(CallID, Result<EditedItem?, LoadFailure>)
        /// The owners of requests are others than before; nil: no other node is live.
        case ownersChanged(RequestOwners?)
        /// A node that was asked for a load reports an event of the load.
        case ownerEvent(OwnerEvent, CallID)
        /// The page of a node that was asked for a load has arrived. When its keys have been read,
        /// it follows as `ownerEvent`.
        case ownerPageArrived(CallID)
        /// The feed with this name has newer data.
        case feedChanged(String)
        /// Time has passed, and nothing else has happened.
        case clockAdvanced
        /// New rules apply. The feeds in `remade` have another backend or policy than before. Later
        /// requests do not join earlier calls of these feeds, and their cached answers are not used
        /// again.
        case rulesChanged(BrokerRules, remade: Set<String>)
        /// The daemon stops: all loads end now, and no load can start.
        case stopped
    }

    /// An output of the state machine.
    package enum Effect: Hashable, Sendable {
        /// Call the feed's backend, and pass its answer to `.answered` exactly once.
        case call(CallOrder)
        /// Call the feed's backend for an edit, and pass its answer to `.edited` exactly once.
        case edit(EditOrder)
        /// Abort this call, because its answer is not needed. The owner must still pass the answer
        /// to `.answered` or `.edited`.
        case abort(CallID)
        /// Ask this node for a load, and pass what it reports to `.ownerEvent`. The ask ends with
        /// the last event, or with `.withdraw`.
        case ask(NodeID, RemoteOrder)
        /// Withdraw an ask, because its answer is not needed.
        case withdraw(CallID, from: NodeID)
        /// Deliver an event to these waiters, of which there is at least one. They are in the order
        /// of their arrival.
        case deliver([Waiter], LoadEvent)
        /// Deliver to this waiter that its edit was performed, with the item that the backend has
        /// returned. `isRepeated`: an earlier attempt may have performed it. All other outcomes of
        /// an edit are delivered by `.deliver`.
        case edited(Waiter, EditedItem?, isRepeated: Bool)
        /// Deliver to this waiter that its edit has failed, and that the backend may have performed
        /// it.
        case editUnknown(Waiter, LoadFailure)
    }

    struct FeedState: Sendable {
        let name: String
        var group: Int
        var policy: FeedPolicy
        var tally = FeedTally()
    }

    /// The user of a page: a waiter, or a series that contains the page.
    enum PageUser {
        case waiter(Waiter, until: Instant)
        case page(PageUse)
    }

    /// The load of a waiter.
    struct WaiterEntry: Sendable {
        /// The number of a load, or of a series.
        let flight: UInt64
        /// The order of arrival of the waiter. It also identifies the waiter's entry in
        /// `deadlines`.
        let serial: UInt64
    }

    let loadsInFlightMax: Int
    var loadDeadlineMs: Int
    /// The numbers of the configured feeds. The counters of removed feeds are kept.
    var feedNumbers: [String: Int] = [:]
    var isStopped = false
    var feeds: [FeedState] = []
    var groups: [BackendGroup] = []
    var cache: PageCache
    var random: SeededRandom
    /// The loads that a waiter, a series or the cache needs, by number.
    var flights: [UInt64: SharedLoad<Waiter>] = [:]
    /// For each request, the load that it can join. Outdated loads are absent.
    var joinableFlights: [RequestKey: UInt64] = [:]
    /// The series that a waiter needs, by number. No series has the same number as a load in
    /// `flights`.
    var seriesLoads: [UInt64: SeriesLoad<Waiter>] = [:]
    /// For each request for a series, the series that it can join.
    var joinableSeries: [SeriesKey: UInt64] = [:]
    /// The outcomes that have not been handled yet. They are outcomes of pages of series.
    var pageOutcomes: [(PageUse, LoadOutcome)] = []
    /// For each list, the loads of the pages that follow its first page.
    var followingFlights = ListMembers<UInt64>()
    var calls: [CallID: RunningCall] = [:]
    /// The owners of requests; nil if no other node is live.
    var owners: RequestOwners?
    /// The loads for which another node was asked and has not given its last event.
    var asks: [CallID: OwnerAsk] = [:]
    var waiterEntries: [Waiter: WaiterEntry] = [:]
    var editSequences = EditSequences()
    /// The edits whose turn in their sequence has come, and which have not begun.
    var nextEdits: [UInt64] = []
    var deadlines = DueQueue<LoadDeadline>()
    var lastFlight: UInt64 = 0
    var lastCall: UInt64 = 0
    var lastSerial: UInt64 = 0
    var lateAnswers = 0
    var lateProgress = 0
    var lateOwnerEvents = 0
    /// The feeds and groups whose counters have changed after the last `collectChanges`.
    var changedFeeds: Set<Int> = []
    var changedGroups: Set<Int> = []

    /// Creates the machine. `seed` determines the pauses before retries.
    package init(_ rules: BrokerRules, seed: UInt64) {
        loadsInFlightMax = max(1, rules.loadsInFlightMax)
        loadDeadlineMs = 1
        cache = PageCache(bytesMax: rules.cacheBytesMax)
        random = SeededRandom(seed: seed)
        apply(rules)
    }

    /// Handles one event and appends the resulting effects to `effects`, in order.
    ///
    /// Deadlines up to `now` are handled first, so that the result does not depend on a late timer.
    package mutating func handle(_ event: Event, at now: Instant, into effects: inout [Effect]) {
        if let id = event.returnedCall { calls[id]?.hasReturned = true }
        if case .ownerEvent(_, let id) = event { stopAskTimer(of: id) }
        if case .ownerPageArrived(let id) = event { recordOwnerPage(of: id) }
        expire(at: now, into: &effects)
        switch event {
        case .started(let brokerRequest, let waiter, let deadline):
            start(brokerRequest, for: waiter, until: deadline, at: now, into: &effects)
        case .waiterCancelled(let waiter, let reason):
            removeWaiter(waiter, because: reason, at: now, into: &effects)
        case .progressed(let id, let value):
            handleProgress(of: id, value, at: now, into: &effects)
        case .answered(let id, let answer):
            finishCall(id, with: answer.map { .page($0) }, at: now, into: &effects)
        case .editStarted(let request, let waiter, let deadline):
            startEdit(request, for: waiter, until: deadline, at: now, into: &effects)
        case .edited(let id, let answer):
            finishCall(id, with: answer.map { .edited($0) }, at: now, into: &effects)
        case .ownersChanged(let owners):
            handleOwnersChange(to: owners, at: now, into: &effects)
        case .ownerEvent(let ownerEvent, let id):
            handleOwnerEvent(ownerEvent, of: id, at: now, into: &effects)
        case .feedChanged(let name):
            // A backend may report a feed that is not configured.
            if let feed = feedNumbers[name] { handleFeedChange(feed: feed, at: now) }
        case .ownerPageArrived, .clockAdvanced:
            break
        case .rulesChanged(let rules, let remade):
            handleRulesChange(to: rules, remade: remade, at: now, into: &effects)
        case .stopped:
            stop(into: &effects)
        }
        handlePageOutcomes(at: now, into: &effects)
        // A pause that began just now can have zero length.
        expire(at: now, into: &effects)
        handlePageOutcomes(at: now, into: &effects)
        beginNextEdits(at: now, into: &effects)
        removeStaleDeadlines()
    }

    /// Makes the machine collect the changes of its cached pages for `PublishedPages`.
    mutating func beginPublishingPages() { cache.unpublished = [] }

    /// Returns the changes of the cached pages that were not published, and removes them.
    mutating func removeUnpublishedPages() -> [CachedPagesChange] {
        guard cache.unpublished?.isEmpty == false else { return [] }
        defer { cache.unpublished = [] }
        return cache.unpublished ?? []
    }

    var publishedFeeds: [String: PublishedPages.Feed] {
        feedNumbers.mapValues {
            PublishedPages.Feed(number: $0, isShared: feeds[$0].policy.isShared)
        }
    }

    /// The time at which `.clockAdvanced` is needed; nil if there are no waiters and no background
    /// calls.
    package var nextDeadline: Instant? { deadlines.nextDeadline }

    /// The number of backend calls that have not returned, including abandoned calls.
    package var callsInFlight: Int { calls.count }

    /// Whether the machine is idle: there are no waiters, every call has returned, and every ask of
    /// another node has ended.
    package var isEmpty: Bool {
        flights.isEmpty && joinableFlights.isEmpty && followingFlights.count == 0 && calls.isEmpty
            && asks.isEmpty && seriesLoads.isEmpty && joinableSeries.isEmpty
            && waiterEntries.isEmpty && editSequences.isEmpty && nextEdits.isEmpty
            && groups.allSatisfy { $0.gate.running == 0 && $0.gate.queued == 0 }
    }

    /// Returns the phase of the load that `request` would join.
    func phase(of request: LoadRequest) -> SharedLoadPhase? {
        joinableFlights[RequestKey(request)].flatMap { flights[$0]?.phase }
    }

    /// Returns whether a load waits for the answer to a call. Returns nil if the call has returned.
    func isAwaited(_ id: CallID) -> Bool? { calls[id].map { $0.flight != nil } }
}

extension LoadBroker.Event {
    /// The call that has returned with this event; nil for all other events.
    fileprivate var returnedCall: CallID? {
        switch self {
        case .answered(let id, _), .edited(let id, _): id
        default: nil
        }
    }
}
