internal import RefreshBroker
internal import RefreshProtocol

/// Assigns loads to workers and handles the loads of lost workers. It is the state machine of the
/// backends `exec` and `worker`.
///
/// A pool has no clock and no input or output. The time is an argument, and effects are appended in
/// the order in which they must be performed. The owner calls `handle` for every event, and calls
/// it with `clockAdvanced` at `nextDeadline`. Every started load that is not cancelled ends with
/// exactly one `end`. A cancelled or timed-out load is revoked: the pool sends `cancel` to its
/// worker. The load occupies its place at the worker until the worker answers it or the grace
/// period is over. Source: docs/backends.md, "exec", "worker", "The line protocol".
struct WorkerPool: Sendable {
    enum Event: Hashable, Sendable {
        /// A load or an edit with a new id starts.
        case started(CallID, feed: String, isEdit: Bool = false, deadline: Instant)
        /// The load's last waiter has left.
        case cancelled(CallID)
        /// A worker is available. If `feeds` is nil, the worker serves all feeds of the backend.
        /// `edits`: whether it performs edits.
        case joined(WorkerID, feeds: Set<String>?, capacity: Int, edits: Bool = false)
        case received(WorkerID, WorkerMessage)
        case receivedInvalid(WorkerID, WorkerMessageFault)
        /// The worker died, or its connection was lost.
        case lost(WorkerID)
        case clockAdvanced
        /// Something has happened on the message bus.
        case bus(BusEvent)
        case stopped
    }

    /// An event of the message bus.
    enum BusEvent: Hashable, Sendable {
        case connected
        case disconnected
        /// No worker has received the offer.
        case refused(LoadOfferID)
        /// The offer was not sent, because the load is larger than the bus accepts.
        case tooLarge(LoadOfferID)
        case received(LoadOfferID, from: BusWorkerID, WorkerMessage)
        case receivedInvalid(LoadOfferID, from: BusWorkerID, WorkerMessageFault)
        case changed(FeedChange)
    }

    enum Effect: Hashable, Sendable {
        /// `earlier` is the number of other workers that may have received the load before.
        case assign(CallID, WorkerID, earlier: Int)
        /// The load must be offered to the workers on the message bus.
        case offer(CallID, LoadOfferID, earlier: Int)
        /// The worker that has taken the offer must cancel it.
        case withdraw(LoadOfferID, BusWorkerID)
        case revoke(CallID, WorkerID)
        /// The worker will receive no more loads.
        case bye(WorkerID)
        /// The worker must be disconnected. The pool has already removed it.
        case dismiss(WorkerID, WorkerDismissal)
        case end(CallID, Result<Page, LoadFailure>)
        /// An edit was performed, with the item that the worker has returned, if any.
        case endEdit(CallID, [UInt8]?)
        case report(CallID, Double)
        case announceChange(FeedChange)
    }

    /// How the pool handles a worker that has not answered a revoked load within the grace period.
    enum Overdue: Sendable {
        case dismiss
        /// The place of the revoked load is given to another load.
        case freePlace
    }

    /// The phase of a load that has not ended.
    enum Phase: Hashable, Sendable {
        /// The load is waiting for a worker with free capacity. The next phase is `assigned`.
        case waiting
        /// The load is assigned to a worker, and ends when the worker answers it. If the worker is
        /// lost, the load waits again, for a second worker. If the second worker is lost too, the
        /// load fails.
        case assigned(WorkerID)
        /// The load is offered to the workers on the message bus. If the offer ends without an
        /// answer, the load waits again.
        case offered(LoadOfferID)
    }

    struct Load: Sendable {
        let kind: WorkKind
        let deadline: Instant
        /// The time from which the load does not wait for a worker if its feed has none.
        let unavailableAt: Instant
        /// A serial number. It distinguishes this load from others with the same id, and orders
        /// loads by age.
        let serial: UInt64
        var phase = Phase.waiting
        /// Whether a worker was lost that was connected to the daemon and had the load.
        var isReissued = false
        /// The number of workers on the message bus that had taken the load and were lost.
        var lostOnBus = 0
        /// The number of workers that may have received the load and did not answer it.
        var earlier = 0
        var reports = ReportBudget()
    }

    /// A load that was revoked from a worker and has not been answered.
    struct RevokedLoad: Hashable, Sendable {
        let worker: WorkerID
        let load: CallID
    }

    /// A load that waits in a feed without workers fails some milliseconds before its deadline.
    /// Returns the number of these milliseconds. `leftMs` is the time until the deadline. At the
    /// deadline, the broker reports a timeout. If the load failed only at the deadline, the failure
    /// would arrive after this timeout on a busy machine.
    static func unavailableLeadMs(ofMs leftMs: Double) -> Double {
        min(max(20, min(1000, leftMs / 10)), leftMs / 4)
    }

    let feeds: Set<String>
    let graceMs: Int
    let overdue: Overdue

    var loads: [CallID: Load] = [:]
    var workers: [WorkerID: PooledWorker] = [:]
    /// The waiting loads and edits by feed, oldest first. A queue can contain ids of loads that
    /// have stopped waiting. Such ids are skipped.
    var queues: [WorkKind: LoadQueue] = [:]
    var deadlines = DueQueue<NumberedDeadline<CallID>>()
    var gracePeriods = DueQueue<NumberedDeadline<RevokedLoad>>()
    var offers: LoadOffers
    var changes = ChangeBudget()
    var counters = WorkerCounters()
    var isStopped = false
    private var highestID: UInt64?
    private var serial: UInt64 = 0

    /// Creates a pool. `feeds` are all feeds of the backend. `offers` contains the feeds that
    /// workers on the message bus serve too.
    init(
        feeds: Set<String>, graceMs: Int, overdue: Overdue,
        offers: LoadOffers = LoadOffers(feeds: []) { 0 }
    ) {
        self.feeds = feeds
        self.offers = offers
        self.graceMs = graceMs
        self.overdue = overdue
    }

    mutating func handle(_ event: Event, at now: Instant, into effects: inout [Effect]) {
        switch event {
        case .started(let id, let feed, let isEdit, let deadline):
            start(id, WorkKind(feed, isForEdits: isEdit), deadline, now, &effects)
        case .cancelled(let id):
            guard let load = loads[id] else { break }
            remove(id, load, now, &effects)
        case .joined(let id, let feeds, let capacity, let edits):
            addWorker(id, feeds, capacity, edits, &effects)
        case .received(let worker, let message):
            handleMessage(message, from: worker, now, &effects)
        case .receivedInvalid(let worker, let fault):
            dismiss(worker, for: fault, now, &effects)
        case .lost(let worker):
            removeWorker(worker, Self.lostFailure, &effects)
        case .clockAdvanced:
            break
        case .bus(let event):
            handleBus(event, now, &effects)
        case .stopped:
            stop(now, &effects)
        }
        expireLoads(now, &effects)
        expireOffers(now, &effects)
        offerLoads(now, &effects)
        for change in changes.removeDue(at: now) { effects.append(.announceChange(change)) }
    }

    /// The time at which the pool needs the next `clockAdvanced`.
    var nextDeadline: Instant? {
        [
            deadlines.nextDeadline, gracePeriods.nextDeadline, changes.nextDeadline,
            offers.nextDeadline { queues[$0] != nil && !isServed($0) },
        ].compactMap { $0 }.min()
    }

    func phase(of id: CallID) -> Phase? { loads[id]?.phase }

    /// The current counters.
    var snapshot: WorkerCounters {
        var counters = counters
        counters.workers = workers.count
        counters.running = workers.values.reduce(offers.takenCount) { $0 + $1.assigned.count }
        counters.waiting = loads.count - counters.running
        return counters
    }

    /// Returns whether the id belongs to a load that was started before. Ids are issued in
    /// ascending order.
    func wasIssued(_ id: CallID) -> Bool { highestID.map { id.number <= $0 } ?? false }

    mutating func newSerial() -> UInt64 {
        serial += 1
        return serial
    }

    // MARK: Starting, joining and stopping

    private mutating func start(
        _ id: CallID, _ kind: WorkKind, _ deadline: Instant, _ now: Instant,
        _ effects: inout [Effect]
    ) {
        guard loads[id] == nil else { return }
        guard !isStopped else {
            effects.append(.end(id, .failure(Self.stopFailure)))
            return
        }
        highestID = max(highestID ?? 0, id.number)
        var unavailableAt = Instant.never
        if deadline != .never {
            let left = max(0, deadline.milliseconds(since: now))
            let lead = Self.unavailableLeadMs(ofMs: left)
            unavailableAt = deadline.advanced(byMilliseconds: -lead)
        }
        let load = Load(
            kind: kind, deadline: deadline, unavailableAt: unavailableAt, serial: newSerial())
        loads[id] = load
        if deadline != .never { deadlines.insert(id, at: unavailableAt, serial: load.serial) }
        removeStaleEntries(of: kind)
        queues[kind, default: LoadQueue()].append(id, load.serial)
        assignLoads(of: kind, &effects)
    }

    private mutating func addWorker(
        _ id: WorkerID, _ feeds: Set<String>?, _ capacity: Int, _ edits: Bool,
        _ effects: inout [Effect]
    ) {
        guard workers[id] == nil else { return }
        counters.joined += 1
        guard !isStopped else {
            effects.append(.bye(id))
            return
        }
        workers[id] = PooledWorker(
            feeds: feeds ?? self.feeds, capacity: max(1, capacity), edits: edits,
            servedAt: newSerial())
        assignLoads(of: workers[id]?.kinds ?? [], &effects)
    }

    private mutating func stop(_ now: Instant, _ effects: inout [Effect]) {
        guard !isStopped else { return }
        isStopped = true
        withdrawAllOffers(&effects)
        for id in loads.keys { effects.append(.end(id, .failure(Self.stopFailure))) }
        loads = [:]
        queues = [:]
        for id in workers.keys.sorted(by: { $0.number < $1.number }) { effects.append(.bye(id)) }
        workers = [:]
        deadlines = DueQueue()
        gracePeriods = DueQueue()
        changes = ChangeBudget()
    }

    static let lostFailure = LoadFailure(.backendFailed, "The worker was lost.")
    static let stopFailure = LoadFailure(.backendFailed, "The daemon is stopping.")
}
