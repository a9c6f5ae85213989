internal import RefreshProtocol

/// Which worker gets which load, and what becomes of the loads of a worker that is lost: the
/// machine behind the backends `exec` and `worker`.
///
/// Pure: the time is an argument, effects are appended in the order in which they are to be done.
/// The owner calls `handle` for every event and, with `clockAdvanced`, at `nextDeadline`. A load
/// that began ends with exactly one `end`. A load that is taken back (cancelled, or out of time)
/// keeps its place at the worker until it is answered or the grace is over. Source:
/// docs/backends.md, "exec", "worker", "The line protocol".
struct WorkerPool: Sendable {
    enum Event: Hashable, Sendable {
        /// A load that is not known is wanted.
        case started(FlightID, feed: String, deadline: Instant)
        /// Nobody waits for it any more.
        case cancelled(FlightID)
        /// A worker is there. `feeds` nil: it serves all of the backend's.
        case joined(WorkerID, feeds: Set<String>?, capacity: Int)
        case said(WorkerID, WorkerMessage)
        case misspoke(WorkerID, WorkerMessageFault)
        /// It died, or its connection is gone.
        case lost(WorkerID)
        case clockAdvanced
        case stopped
    }

    enum Effect: Hashable, Sendable {
        /// `isAgain`: another worker had it before.
        case give(FlightID, WorkerID, isAgain: Bool)
        case takeBack(FlightID, WorkerID)
        /// No load follows.
        case bye(WorkerID)
        /// It is to be gone; the pool has forgotten it already.
        case dismiss(WorkerID, WorkerDismissal)
        case end(FlightID, Result<Page, LoadFailure>)
        case report(FlightID, Double)
        case announce(feed: String)
    }

    /// What is done with a worker that has not answered a load in the grace after it was taken
    /// back.
    enum Overdue: Sendable {
        case dismiss
        /// Its place is given to another load.
        case forget
    }

    /// Where a load is that has not ended.
    enum Phase: Hashable, Sendable {
        /// For a worker with room. Then `given`.
        case waiting
        /// Answered, it ends. Its worker lost, it waits again, but once.
        case given(WorkerID)
    }

    struct Load: Sendable {
        let feed: String
        let deadline: Instant
        /// Tells this load from an earlier or later one of the same name, and orders by age.
        let serial: UInt64
        var phase = Phase.waiting
        var isReissued = false
        var reports = ReportBudget()
    }

    /// A load that was taken back from a worker, and has not been answered.
    struct TakenBack: Hashable, Sendable {
        let worker: WorkerID
        let load: FlightID
    }

    /// A waiting load whose feed nobody serves fails so long before its deadline, milliseconds, of
    /// `leftMs`: at the deadline itself the broker says that it ran out of time, and on a busy
    /// machine this answer would come after that one.
    static func unavailableLeadMs(ofMs leftMs: Double) -> Double {
        min(max(20, min(1000, leftMs / 10)), leftMs / 4)
    }

    let feeds: Set<String>
    let graceMs: Int
    let overdue: Overdue

    var loads: [FlightID: Load] = [:]
    var workers: [WorkerID: PooledWorker] = [:]
    /// Those that wait, by feed, oldest first; ids whose load waits no more are skipped.
    var lines: [String: WaitingLine] = [:]
    var deadlines = DueQueue<NumberedDeadline<FlightID>>()
    var graces = DueQueue<NumberedDeadline<TakenBack>>()
    var changes = ChangeBudget()
    var counters = WorkerCounters()
    var isStopped = false
    private var highest: UInt64?
    private var serial: UInt64 = 0

    /// `feeds` are those of the backend.
    init(feeds: Set<String>, graceMs: Int, overdue: Overdue) {
        self.feeds = feeds
        self.graceMs = graceMs
        self.overdue = overdue
    }

    mutating func handle(_ event: Event, at now: Instant, into effects: inout [Effect]) {
        switch event {
        case .started(let id, let feed, let deadline):
            start(id, feed, deadline, now, &effects)
        case .cancelled(let id):
            guard let load = loads[id] else { break }
            remove(id, load, now, &effects)
        case .joined(let id, let feeds, let capacity):
            join(id, feeds, capacity, &effects)
        case .said(let worker, let message):
            hear(message, from: worker, now, &effects)
        case .misspoke(let worker, let fault):
            dismiss(worker, for: fault, now, &effects)
        case .lost(let worker):
            lose(worker, Self.lostFailure, &effects)
        case .clockAdvanced:
            break
        case .stopped:
            stop(now, &effects)
        }
        passDeadlines(now, &effects)
        for feed in changes.due(at: now) { effects.append(.announce(feed: feed)) }
    }

    /// When the pool wants to be asked again.
    var nextDeadline: Instant? {
        [deadlines.first?.deadline, graces.first?.deadline, changes.nextDeadline]
            .compactMap { $0 }.min()
    }

    func phase(of id: FlightID) -> Phase? { loads[id]?.phase }

    /// The numbers now.
    var snapshot: WorkerCounters {
        var counters = counters
        counters.workers = workers.count
        counters.running = workers.values.reduce(0) { $0 + $1.held.count }
        counters.waiting = loads.count - counters.running
        return counters
    }

    /// Whether that id was ever one of this daemon's: it counts them up.
    func wasIssued(_ id: FlightID) -> Bool { highest.map { id.number <= $0 } ?? false }

    mutating func newSerial() -> UInt64 {
        serial += 1
        return serial
    }

    // MARK: Coming and going

    private mutating func start(
        _ id: FlightID, _ feed: String, _ deadline: Instant, _ now: Instant,
        _ effects: inout [Effect]
    ) {
        guard loads[id] == nil else { return }
        guard !isStopped else {
            effects.append(.end(id, .failure(Self.stopFailure)))
            return
        }
        highest = max(highest ?? 0, id.number)
        let load = Load(feed: feed, deadline: deadline, serial: newSerial())
        loads[id] = load
        if deadline != .never {
            let left = max(0, deadline.milliseconds(since: now))
            let lead = Self.unavailableLeadMs(ofMs: left)
            deadlines.insert(
                id, at: deadline.advanced(byMilliseconds: -lead), serial: load.serial)
        }
        shedStale(feed)
        lines[feed, default: WaitingLine()].append(id, load.serial)
        serve(feed, &effects)
    }

    private mutating func join(
        _ id: WorkerID, _ feeds: Set<String>?, _ capacity: Int, _ effects: inout [Effect]
    ) {
        guard workers[id] == nil else { return }
        counters.joined += 1
        guard !isStopped else {
            effects.append(.bye(id))
            return
        }
        workers[id] = PooledWorker(
            feeds: feeds ?? self.feeds, capacity: max(1, capacity), servedAt: newSerial())
        serve(workers[id]?.feeds ?? [], &effects)
    }

    private mutating func stop(_ now: Instant, _ effects: inout [Effect]) {
        guard !isStopped else { return }
        isStopped = true
        for id in loads.keys { effects.append(.end(id, .failure(Self.stopFailure))) }
        loads = [:]
        lines = [:]
        for id in workers.keys.sorted(by: { $0.number < $1.number }) { effects.append(.bye(id)) }
        workers = [:]
        deadlines = DueQueue()
        graces = DueQueue()
        changes = ChangeBudget()
    }

    static let lostFailure = LoadFailure(.backendFailed, "The worker was lost.")
    static let stopFailure = LoadFailure(.backendFailed, "The daemon is stopping.")
}
