import RefreshProtocol
import Testing

@testable import RefreshBroker

/// The world around a `SingleFlight<Int>`: does its orders and knows what makes no sense.
struct FlightWorld {
    private(set) var machine: SingleFlight<Int>
    private(set) var now = Instant.origin
    /// Calls that run, also when aborted.
    private(set) var running: [FlightID: LoadRequest] = [:]
    private(set) var aborted: Set<FlightID> = []
    private(set) var outcomes: [Int: LoadOutcome] = [:]
    private(set) var waiting: Set<Int> = []
    private var used: Set<FlightID> = []
    private let loadsInFlightMax: Int

    init(loadsInFlightMax: Int = 8) {
        self.loadsInFlightMax = loadsInFlightMax
        self.machine = SingleFlight(loadsInFlightMax: loadsInFlightMax)
    }

    /// Passes the event on and does what is ordered, which is returned too.
    @discardableResult
    mutating func send(_ event: SingleFlight<Int>.Event) -> [SingleFlight<Int>.Effect] {
        if case .started(_, let waiter, _) = event, outcomes[waiter] == nil {
            waiting.insert(waiter)
        }
        if case .answered(let id, _) = event {
            running[id] = nil
            aborted.remove(id)
        }
        var effects: [SingleFlight<Int>.Effect] = []
        machine.handle(event, at: now, into: &effects)
        for effect in effects { perform(effect) }
        require(machine.callsInFlight == running.count, "lost count of its calls")
        require(machine.callsInFlight <= loadsInFlightMax, "too many calls")
        require(machine.counters.waiters == waiting.count, "lost count of its waiters")
        // Nobody is woken in vain or forgotten: a deadline is there exactly while somebody waits.
        require((machine.nextDeadline == nil) == waiting.isEmpty, "a deadline for nobody, or none")
        for id in running.keys {
            let phase: SingleFlight<Int>.FlightPhase = aborted.contains(id) ? .abandoned : .awaited
            require(machine.phase(of: id) == phase, "a call in the wrong phase")
        }
        return effects
    }

    mutating func advance(to instant: Instant) { now = instant }

    private mutating func perform(_ effect: SingleFlight<Int>.Effect) {
        switch effect {
        case .call(let id, let request):
            require(used.insert(id).inserted, "a call's identity was used twice")
            let twins = running.filter { $0.value == request && !aborted.contains($0.key) }
            require(twins.isEmpty, "an equal call is in flight already")
            running[id] = request
        case .abort(let id):
            require(running[id] != nil, "aborts a call that does not run")
            require(aborted.insert(id).inserted, "aborts a call twice")
        case .deliver(let waiter, let outcome):
            require(waiting.remove(waiter) != nil, "an outcome for somebody who does not wait")
            require(outcomes.updateValue(outcome, forKey: waiter) == nil, "a second outcome")
        }
    }

    /// As `#expect`, which is too slow for the millions of checks of the random runs.
    private func require(_ condition: Bool, _ mistake: Comment) {
        if !condition { Issue.record(mistake) }
    }
}

extension LoadRequest {
    /// A request that differs from others by its page.
    static func page(_ page: Int, feed: String = "list", kind: LoadKind = .more) -> LoadRequest {
        LoadRequest(feed: feed, kind: kind, page: page, offset: 0, size: 10)
    }
}

extension Page {
    /// An answer that is told from others by its count.
    static func of(_ count: Int) -> Page {
        let items = (0..<count).map(String.init).joined(separator: ",")
        return Page(items: Array("[\(items)]".utf8), count: count)
    }
}

extension Instant {
    static func ms(_ milliseconds: Double) -> Instant { Instant(milliseconds: milliseconds) }
}
