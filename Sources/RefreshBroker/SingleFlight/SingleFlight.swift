package import RefreshProtocol

/// The broker's machine: equal requests that overlap in time share one backend call.
///
/// ```
/// started ──▶ call ──▶ answered ──▶ deliver to each waiter
///    │ equal request in flight: joins it      left, deadline: that waiter goes;
///    └ `loadsInFlightMax` calls: backendBusy  the last one's going aborts the call
/// ```
///
/// A pure value: no clock, task or lock. The driver passes every fact to `handle` with the time,
/// does the effects in order, passes each call's answer back under the call's `FlightID`, and calls
/// again with `.clockAdvanced` at `nextDeadline`. It guarantees that every started waiter gets
/// exactly one outcome, whatever order facts come in; no fact traps. Source: docs/backends.md.
package struct SingleFlight<Waiter: Hashable & Sendable>: Sendable {
    /// What happened.
    package enum Event: Hashable, Sendable {
        /// A waiter wants a page until `deadline`.
        case started(LoadRequest, Waiter, deadline: Instant)
        /// A waiter does not want its page any more.
        case left(Waiter)
        /// A backend call returned.
        case answered(FlightID, Result<Page, LoadFailure>)
        /// Nothing but time passed.
        case clockAdvanced
        /// The daemon stops: everybody's load ends now, and none begins.
        case stopped
    }

    /// What to do.
    package enum Effect: Hashable, Sendable {
        /// Ask the feed's backend; answer with `.answered` exactly once.
        case call(FlightID, LoadRequest)
        /// Nobody waits for this call: end it. Its answer is still expected.
        case abort(FlightID)
        case deliver(Waiter, LoadOutcome)
    }

    /// What is true of a backend call that has not returned.
    enum FlightPhase: Hashable, Sendable {
        /// Somebody waits for it and equal requests join it. Ends by the answer, or becomes
        /// `abandoned` when the last waiter leaves, runs out of time, or the daemon stops.
        case awaited
        /// Aborted, but it still runs and still counts against the limit, so that quick starting
        /// and leaving cannot pile up calls. An equal request begins another. Ends by the late
        /// answer.
        case abandoned
    }

    private struct Flight: Sendable {
        let request: LoadRequest
        var phase: FlightPhase
        var waiters: Set<Waiter>
        /// Its answer is being handled: there is nothing to abort any more.
        var hasReturned = false
    }

    /// Where a waiter sits.
    private struct Seat: Sendable {
        let flight: FlightID
        /// Arrival order, and the identity of its entry in `deadlines`.
        let serial: UInt64
    }

    private let loadsInFlightMax: Int
    private var isStopped = false
    private var flights: [FlightID: Flight] = [:]
    /// The awaited flight of each request; abandoned ones are not here.
    private var awaited: [LoadRequest: FlightID] = [:]
    private var seats: [Waiter: Seat] = [:]
    private var deadlines = DeadlineHeap<Waiter>()
    private var lastFlight: UInt64 = 0
    private var lastSerial: UInt64 = 0
    private var tallies: [String: FeedTally] = [:]
    private var late = 0

    /// At most `loadsInFlightMax` (>= 1) backend calls run at one time.
    package init(loadsInFlightMax: Int) {
        self.loadsInFlightMax = max(1, loadsInFlightMax)
    }

    /// Takes one fact and appends what to do to `effects`, in order.
    ///
    /// Deadlines that are over at `now` come first, so that the outcome depends on times and not on
    /// when a timer happened to fire.
    package mutating func handle(_ event: Event, at now: Instant, into effects: inout [Effect]) {
        if case .answered(let id, _) = event { flights[id]?.hasReturned = true }
        expire(at: now, into: &effects)
        switch event {
        case .started(let request, let waiter, let deadline):
            start(request, for: waiter, until: deadline, at: now, into: &effects)
        case .left(let waiter):
            // It may be gone already: its outcome and its leaving crossed each other.
            dismiss(waiter, with: .cancelled, into: &effects)
        case .answered(let id, let answer):
            finish(id, with: answer, into: &effects)
        case .clockAdvanced:
            break
        case .stopped:
            stop(into: &effects)
        }
        tidyDeadlines()
    }

    /// When `.clockAdvanced` is wanted; nil while nobody waits.
    package var nextDeadline: Instant? { deadlines.first?.deadline }

    /// Backend calls that have not returned, with the abandoned ones.
    package var callsInFlight: Int { flights.count }

    package var counters: BrokerCounters {
        var counters = BrokerCounters()
        counters.feeds = tallies
        counters.late = late
        counters.callsInFlight = flights.count
        counters.waiters = seats.count
        return counters
    }

    /// The phase of a call that has not returned.
    func phase(of id: FlightID) -> FlightPhase? { flights[id]?.phase }

    // MARK: - Facts

    private mutating func start(
        _ request: LoadRequest, for waiter: Waiter, until deadline: Instant, at now: Instant,
        into effects: inout [Effect]
    ) {
        guard seats[waiter] == nil else {
            // The same waiter twice: it has a load, whose one outcome it will get.
            return
        }
        guard !isStopped else {
            effects.append(.deliver(waiter, .cancelled))
            return
        }
        guard deadline > now else {
            effects.append(.deliver(waiter, .timedOut))
            return
        }
        if let id = awaited[request] {
            tallies[request.feed, default: FeedTally()].joined += 1
            seat(waiter, in: id, until: deadline)
        } else if flights.count < loadsInFlightMax {
            tallies[request.feed, default: FeedTally()].started += 1
            lastFlight += 1
            let id = FlightID(lastFlight)
            flights[id] = Flight(request: request, phase: .awaited, waiters: [])
            awaited[request] = id
            seat(waiter, in: id, until: deadline)
            effects.append(.call(id, request))
        } else {
            tallies[request.feed, default: FeedTally()].refused += 1
            let failure = LoadFailure(
                .backendBusy, "All \(loadsInFlightMax) backend calls are in use.")
            effects.append(.deliver(waiter, .failed(failure)))
        }
    }

    private mutating func finish(
        _ id: FlightID, with answer: Result<Page, LoadFailure>, into effects: inout [Effect]
    ) {
        let flight = flights.removeValue(forKey: id)
        switch flight?.phase {
        case .awaited:
            guard let flight else { return }
            awaited[flight.request] = nil
            let outcome: LoadOutcome
            switch answer {
            case .success(let page):
                outcome = .page(page)
                count(page.count == 0 ? .empty : .success, of: flight.request)
            case .failure(let failure):
                outcome = .failed(failure)
                count(.failed, of: flight.request)
            }
            for waiter in inOrderOfArrival(flight.waiters) {
                seats[waiter] = nil
                effects.append(.deliver(waiter, outcome))
            }
        case .abandoned, nil:
            // Abandoned: the abort came too late. Nil: the driver answered twice.
            late += 1
        }
    }

    private mutating func expire(at now: Instant, into effects: inout [Effect]) {
        while let entry = deadlines.first, entry.deadline <= now {
            deadlines.removeFirst()
            if isLive(entry) { dismiss(entry.waiter, with: .timedOut, into: &effects) }
        }
    }

    private mutating func stop(into effects: inout [Effect]) {
        isStopped = true
        for waiter in inOrderOfArrival(Set(seats.keys)) {
            dismiss(waiter, with: .cancelled, into: &effects)
        }
    }

    // MARK: - Seats

    private mutating func seat(_ waiter: Waiter, in id: FlightID, until deadline: Instant) {
        lastSerial += 1
        flights[id]?.waiters.insert(waiter)
        seats[waiter] = Seat(flight: id, serial: lastSerial)
        deadlines.insert(.init(deadline: deadline, serial: lastSerial, waiter: waiter))
    }

    /// Gives `waiter` its outcome and takes it off its flight, which is abandoned if it was the
    /// last.
    private mutating func dismiss(
        _ waiter: Waiter, with outcome: LoadOutcome, into effects: inout [Effect]
    ) {
        guard let seat = seats.removeValue(forKey: waiter) else { return }
        effects.append(.deliver(waiter, outcome))
        flights[seat.flight]?.waiters.remove(waiter)
        guard let flight = flights[seat.flight], flight.waiters.isEmpty else { return }
        flights[seat.flight]?.phase = .abandoned
        awaited[flight.request] = nil
        count(outcome == .timedOut ? .timedOut : .cancelled, of: flight.request)
        if !flight.hasReturned { effects.append(.abort(seat.flight)) }
    }

    private func inOrderOfArrival(_ waiters: Set<Waiter>) -> [Waiter] {
        waiters.sorted { (seats[$0]?.serial ?? 0) < (seats[$1]?.serial ?? 0) }
    }

    private mutating func count(_ result: LoadResult, of request: LoadRequest) {
        tallies[request.feed, default: FeedTally()].ended[result, default: 0] += 1
    }

    // MARK: - Deadlines

    private func isLive(_ entry: DeadlineHeap<Waiter>.Entry) -> Bool {
        seats[entry.waiter]?.serial == entry.serial
    }

    /// Drops the deadlines of waiters that are gone: those in front, so that nobody is woken for
    /// them, and all of them once they are the larger part.
    private mutating func tidyDeadlines() {
        if deadlines.count > 2 * seats.count + 64 {
            let seats = seats
            deadlines.keep { seats[$0.waiter]?.serial == $0.serial }
        }
        while let entry = deadlines.first, !isLive(entry) { deadlines.removeFirst() }
    }
}
