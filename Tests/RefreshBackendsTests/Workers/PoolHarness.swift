import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshBackends

/// A simulated owner of a `WorkerPool`. It performs the effects and checks the pool's rules at
/// every step.
struct PoolHarness {
    private(set) var pool: WorkerPool
    private(set) var now = Instant.origin
    /// The loads that are assigned to each worker and not revoked. Workers that have left are
    /// omitted.
    private(set) var held: [WorkerID: Set<CallID>] = [:]
    /// The revoked loads (cancelled or timed out) that each worker has not answered.
    private(set) var revoked: [WorkerID: Set<CallID>] = [:]
    private(set) var capacities: [WorkerID: Int] = [:]
    private(set) var waiting: Set<CallID> = []
    private(set) var ends: [CallID: Result<Page, LoadFailure>] = [:]
    /// The items of the edits that were performed.
    private(set) var edited: [CallID: [UInt8]?] = [:]
    private(set) var assignmentCounts: [CallID: Int] = [:]
    private let graceMs: Int

    init(
        feeds: Set<String> = ["songs", "films"], graceMs: Int = 100,
        overdue: WorkerPool.Overdue = .freePlace
    ) {
        pool = WorkerPool(feeds: feeds, graceMs: graceMs, overdue: overdue)
        self.graceMs = graceMs
    }

    /// Passes the event to the pool, performs the effects and returns them.
    @discardableResult
    mutating func send(_ event: WorkerPool.Event) -> [WorkerPool.Effect] {
        record(event)
        var effects: [WorkerPool.Effect] = []
        pool.handle(event, at: now, into: &effects)
        for effect in effects { perform(effect) }
        checkCounts()
        return effects
    }

    /// Advances the time, and sends `clockAdvanced` at each deadline of the pool.
    @discardableResult
    mutating func advance(toMs milliseconds: Double) -> [WorkerPool.Effect] {
        var effects: [WorkerPool.Effect] = []
        let end = Instant(milliseconds: milliseconds)
        while let next = pool.nextDeadline, next <= end {
            now = max(now, next)
            effects += send(.clockAdvanced)
            require(
                pool.nextDeadline.map { $0 > now } ?? true,
                "a deadline was not cleared after it passed")
        }
        now = end
        return effects
    }

    private mutating func record(_ event: WorkerPool.Event) {
        switch event {
        case .started(let id, _, _, _): waiting.insert(id)
        case .cancelled(let id):
            waiting.remove(id)
            // A test may use the id for another load.
            assignmentCounts[id] = nil
        case .joined(let worker, _, let capacity, _):
            capacities[worker] = capacity
            held[worker] = []
            revoked[worker] = []
        case .lost(let worker): removeWorker(worker)
        case .received(let worker, .page(let id, _)), .received(let worker, .failed(let id, _)),
            .received(let worker, .edited(let id, _)):
            revoked[worker]?.remove(id)
        case .received, .receivedInvalid, .clockAdvanced, .bus, .stopped: break
        }
    }

    private mutating func removeWorker(_ worker: WorkerID) {
        held[worker] = nil
        revoked[worker] = nil
        capacities[worker] = nil
    }

    private mutating func perform(_ effect: WorkerPool.Effect) {
        switch effect {
        case .assign(let id, let worker, let earlier):
            require(waiting.contains(id), "assigns a load without a waiter")
            require(!held.values.contains { $0.contains(id) }, "assigns a load to two workers")
            require(
                held[worker]?.insert(id).inserted == true, "assigns a load to an unknown worker")
            require(earlier == assignmentCounts[id, default: 0], "`earlier` is wrong")
            assignmentCounts[id, default: 0] += 1
            require(assignmentCounts[id, default: 0] <= 2, "assigns a load a third time")
        case .revoke(let id, let worker):
            require(held[worker]?.remove(id) != nil, "revokes a load that the worker does not have")
            revoked[worker]?.insert(id)
        case .bye(let worker): removeWorker(worker)
        case .dismiss(let worker, _):
            require(held[worker] != nil, "dismisses an unknown worker")
            removeWorker(worker)
        case .end(let id, let answer):
            require(waiting.remove(id) != nil, "ends a load without a waiter")
            require(ends.updateValue(answer, forKey: id) == nil, "ends a load twice")
            for worker in held.keys { held[worker]?.remove(id) }
        case .endEdit(let id, let item):
            require(waiting.remove(id) != nil, "ends an edit without a waiter")
            require(edited.updateValue(item, forKey: id) == nil, "ends an edit twice")
            for worker in held.keys { held[worker]?.remove(id) }
        case .report(let id, _):
            require(waiting.contains(id), "reports progress of a load without a waiter")
        case .announceChange: break
        case .offer, .withdraw: Issue.record("no feed has workers on the bus")
        }
    }

    private func checkCounts() {
        let counters = pool.snapshot
        let running = held.values.reduce(0) { $0 + $1.count }
        require(counters.running == running, "the number of running loads is wrong")
        require(counters.waiting == waiting.count - running, "the number of waiting loads is wrong")
        for (worker, loads) in held {
            require(loads.count <= capacities[worker, default: 0], "a worker has too many loads")
        }
        for id in waiting { require(pool.phase(of: id) != nil, "a waiting load has no phase") }
    }

    /// Checks a condition. `#expect` is too slow for the many checks of the random runs.
    private func require(_ condition: Bool, _ mistake: Comment) {
        if !condition { Issue.record(mistake) }
    }
}
