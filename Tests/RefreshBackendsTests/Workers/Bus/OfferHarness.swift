import RefreshBroker
import RefreshProtocol
import Synchronization
import Testing

@testable import RefreshBackends

/// A simulated owner of a `WorkerPool` whose feed `songs` has workers on the message bus, and whose
/// feed `films` has none. It numbers the offers 1, 2, 3, … and checks the rules of offers at every
/// step.
struct OfferHarness {
    private(set) var pool: WorkerPool
    private(set) var now = Instant.origin
    /// The loads that have not ended.
    private(set) var waiting: Set<CallID> = []
    private(set) var ends: [CallID: Result<Page, LoadFailure>] = [:]
    /// All offers so far, by their numbers.
    private(set) var offered: [LoadOfferID: CallID] = [:]
    /// The number of workers that may have received a load, by load.
    private(set) var attempts: [CallID: Int] = [:]
    /// The worker that has taken each offer, as the bus delivered the answers.
    private var takers: [LoadOfferID: BusWorkerID] = [:]

    init() {
        let last = Mutex<UInt64>(0)
        let number: @Sendable () -> UInt64 = {
            last.withLock { last in
                last += 1
                return last
            }
        }
        pool = WorkerPool(
            feeds: ["songs", "films"], graceMs: 100, overdue: .freePlace,
            offers: LoadOffers(feeds: ["songs"], newNumber: number))
    }

    /// Passes the event to the pool, performs the effects and returns them.
    @discardableResult
    mutating func send(_ event: WorkerPool.Event) -> [WorkerPool.Effect] {
        switch event {
        case .started(let id, _, _, _): waiting.insert(id)
        case .cancelled(let id): waiting.remove(id)
        case .bus(.received(let id, let worker, _)), .bus(.receivedInvalid(let id, let worker, _)):
            if pool.offers[id] != nil { takers[id] = takers[id] ?? worker }
        default: break
        }
        var effects: [WorkerPool.Effect] = []
        pool.handle(event, at: now, into: &effects)
        for effect in effects { perform(effect, of: event) }
        let counters = pool.snapshot
        require(counters.running + counters.waiting == waiting.count, "a load was lost")
        for id in waiting { require(pool.phase(of: id) != nil, "a load has no phase") }
        return effects
    }

    @discardableResult
    mutating func send(_ event: WorkerPool.BusEvent) -> [WorkerPool.Effect] { send(.bus(event)) }

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

    private mutating func perform(_ effect: WorkerPool.Effect, of event: WorkerPool.Event) {
        switch effect {
        case .assign(let id, _, let earlier), .offer(let id, _, let earlier):
            require(waiting.contains(id), "issues a load that has ended")
            require(earlier >= attempts[id, default: 0], "`attempt` decreases")
            attempts[id] = earlier
            if case .offer(_, let offer, _) = effect {
                require(offered.updateValue(id, forKey: offer) == nil, "an offer has a used number")
                require(pool.offers.isConnected, "offers a load without the bus")
            }
        case .withdraw(let offer, let worker):
            require(takers[offer] == worker, "cancels a load at a worker that has not taken it")
        case .end(let id, let answer):
            require(waiting.remove(id) != nil, "ends a load twice")
            ends[id] = answer
            guard case .success = answer, case .bus(let event) = event else { return }
            guard case .received(let offer, let worker, _) = event else {
                Issue.record("a load succeeds without an answer")
                return
            }
            require(offered[offer] == id, "an answer ends another load")
            require(takers[offer] == worker, "an answer of another worker ends a load")
        case .endEdit(let id, _): require(waiting.remove(id) != nil, "ends an edit twice")
        default: break
        }
    }

    /// Checks a condition. `#expect` is too slow for the many checks of the random runs.
    private func require(_ condition: Bool, _ mistake: Comment) {
        if !condition { Issue.record(mistake) }
    }
}
