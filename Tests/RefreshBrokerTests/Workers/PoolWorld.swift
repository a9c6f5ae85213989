import RefreshProtocol
import Testing

@testable import RefreshBroker

/// A simulated owner of a `WorkerPool`. It performs the effects and checks the pool's rules at
/// every step.
struct PoolWorld {
    private(set) var pool: WorkerPool
    private(set) var now = Instant.origin
    /// The assigned loads of each present worker, without revoked loads.
    private(set) var held: [WorkerID: Set<CallID>] = [:]
    /// The revoked loads that each worker has not answered.
    private(set) var takenBack: [WorkerID: Set<CallID>] = [:]
    private(set) var capacities: [WorkerID: Int] = [:]
    private(set) var waiting: Set<CallID> = []
    private(set) var ends: [CallID: Result<Page, LoadFailure>] = [:]
    private(set) var given: [CallID: Int] = [:]
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
        note(event)
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
            require(pool.nextDeadline.map { $0 > now } ?? true, "a deadline that stays")
        }
        now = end
        return effects
    }

    private mutating func note(_ event: WorkerPool.Event) {
        switch event {
        case .started(let id, _, _): waiting.insert(id)
        case .cancelled(let id):
            waiting.remove(id)
            // A test may use the id again.
            given[id] = nil
        case .joined(let worker, _, let capacity):
            capacities[worker] = capacity
            held[worker] = []
            takenBack[worker] = []
        case .lost(let worker): forget(worker)
        case .received(let worker, .page(let id, _)), .received(let worker, .failed(let id, _)):
            takenBack[worker]?.remove(id)
        case .received, .receivedInvalid, .clockAdvanced, .stopped: break
        }
    }

    private mutating func forget(_ worker: WorkerID) {
        held[worker] = nil
        takenBack[worker] = nil
        capacities[worker] = nil
    }

    private mutating func perform(_ effect: WorkerPool.Effect) {
        switch effect {
        case .assign(let id, let worker, let isAgain):
            require(waiting.contains(id), "gives a load that nobody waits for")
            require(!held.values.contains { $0.contains(id) }, "gives a load to two workers")
            require(held[worker]?.insert(id).inserted == true, "gives it to nobody")
            require(isAgain == (given[id] != nil), "a wrong attempt")
            given[id, default: 0] += 1
            require(given[id, default: 0] <= 2, "gives it a third time")
        case .revoke(let id, let worker):
            require(held[worker]?.remove(id) != nil, "takes back what it never had")
            takenBack[worker]?.insert(id)
        case .bye(let worker): forget(worker)
        case .dismiss(let worker, _):
            require(held[worker] != nil, "sends a stranger away")
            forget(worker)
        case .end(let id, let answer):
            require(waiting.remove(id) != nil, "ends what nobody waits for")
            require(ends.updateValue(answer, forKey: id) == nil, "ends it twice")
            for worker in held.keys { held[worker]?.remove(id) }
        case .report(let id, _): require(waiting.contains(id), "reports what nobody waits for")
        case .announceChange: break
        }
    }

    private func checkCounts() {
        let counters = pool.snapshot
        let running = held.values.reduce(0) { $0 + $1.count }
        require(counters.running == running, "lost count of what runs")
        require(counters.waiting == waiting.count - running, "lost count of what waits")
        for (worker, loads) in held {
            require(loads.count <= capacities[worker, default: 0], "too many loads")
        }
        for id in waiting { require(pool.phase(of: id) != nil, "forgot a load") }
    }

    /// Checks a condition. `#expect` is too slow for the many checks of the random runs.
    private func require(_ condition: Bool, _ mistake: Comment) {
        if !condition { Issue.record(mistake) }
    }
}
