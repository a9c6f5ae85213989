import RefreshProtocol
import Testing

@testable import RefreshBroker

/// A simulated owner of a `LoadBroker<Int>`, the state machine of the broker. The owner performs
/// the effects and checks the machine's rules at every step.
struct BrokerHarness {
    typealias Machine = LoadBroker<Int>

    private(set) var machine: Machine
    private(set) var now = Instant.origin
    /// The running calls, including those that were aborted.
    private(set) var running: [CallID: CallOrder] = [:]
    /// Those of the running calls that perform an edit.
    private(set) var edits: [CallID: EditOrder] = [:]
    /// The edits that were performed.
    private(set) var performed: [Int: EditedItem?] = [:]
    /// The edits that have failed, and may have been performed.
    private(set) var unknown: [Int: LoadFailure] = [:]
    /// For each sequence of edits, the idempotency key of the edit that was called last.
    private var lastCalled: [String: Int] = [:]
    private(set) var aborted: Set<CallID> = []
    /// The asks of other nodes that have not ended, as calls with the attempt number 0.
    private(set) var asks: [CallID: (owner: NodeID, order: CallOrder)] = [:]
    private(set) var outcomes: [Int: LoadOutcome] = [:]
    /// The answers to look-ups.
    private(set) var lookUps: [Int: FoundPage?] = [:]
    private(set) var waiting: [Int: BrokerRequest] = [:]
    /// The copy of the cached pages. Each look-up in it must give the machine's answer.
    private let pages = PublishedPages()
    let rules: BrokerRules
    private var used: Set<CallID> = []
    private var lastProgress: [Int: Instant] = [:]
    private var firstCalls: [String: Int] = [:]
    private var retries: [String: Int] = [:]
    private var cacheModel = CacheModel()
    private var changes = ChangeModel()
    /// How often each kind of event has occurred. Random runs must reach all kinds.
    private(set) var seen: [String: Int] = [:]
    private(set) var hasMistake = false
    var seed: UInt64 = 0

    init(_ rules: BrokerRules, seed: UInt64 = 1) {
        self.rules = rules
        self.seed = seed
        self.machine = LoadBroker(rules, seed: seed)
        machine.beginPublishingPages()
        pages.publish([], feeds: machine.publishedFeeds)
    }

    /// Creates a harness with the feeds `list` and `other` and default policies. Each feed has its
    /// own backend.
    init(loadsInFlightMax: Int = 8) {
        var rules = BrokerRules(feeds: ["list": .init(group: "list"), "other": .init(group: "o")])
        rules.loadsInFlightMax = loadsInFlightMax
        self.init(rules)
    }

    /// Creates a harness with the feed `list` only.
    init(
        _ feed: FeedPolicy, _ backend: BackendPolicy = BackendPolicy(), loadsInFlightMax: Int = 8,
        cacheBytesMax: Int = 1_000_000
    ) {
        var rules = BrokerRules(
            feeds: ["list": .init(group: "list", policy: feed)], backends: ["list": backend])
        rules.loadsInFlightMax = loadsInFlightMax
        rules.cacheBytesMax = cacheBytesMax
        rules.loadDeadlineMs = 1000
        self.init(rules)
    }

    /// Passes the event to the machine, performs the effects and returns them.
    @discardableResult
    mutating func send(_ event: Machine.Event) -> [Machine.Effect] {
        recordExpiredEdits()
        if case .started(let request, let waiter, _) = event, outcomes[waiter] == nil,
            waiting[waiter] == nil
        {
            waiting[waiter] = request
            changes.start(waiter, of: request.request.feed)
        }
        if case .feedChanged(let feed) = event { recordChange(of: feed) }
        if case .answered(let id, let answer) = event, let order = running.removeValue(forKey: id) {
            let isLate = aborted.remove(id) != nil || order.deadline <= now
            if case .success(let page) = answer, !isLate, !changes.isOvertaken(id) {
                cacheModel.answer(
                    id, order.request, page, last: used.map(\.number).max() ?? 0, at: now)
            }
        }
        if case .editStarted(let request, let waiter, _) = event {
            waiting[waiter] = BrokerRequest(
                .edit(request), idempotencyKey: request.idempotencyKey)
            changes.start(waiter, of: request.feed)
        }
        if case .edited(let id, let answer) = event, running.removeValue(forKey: id) != nil {
            let isLate = aborted.remove(id) != nil
            let mayBePerformed =
                switch answer {
                case .success: true
                case .failure(let failure): failure.mayHavePerformedEdit
                }
            if let order = edits.removeValue(forKey: id), mayBePerformed, !isLate,
                order.deadline > now
            {
                recordChange(of: order.request.feed)
            }
        }
        let closed = rules.feeds.filter { isClosedToCalls($0.value.group, during: event) }
        var effects: [Machine.Effect] = []
        let last = used.map(\.number).max() ?? 0
        machine.handle(event, at: now, into: &effects)
        pages.publish(machine.removeUnpublishedPages())
        if case .ownerEvent(let ownerEvent, let id) = event, ownerEvent.isLast {
            endAsk(id, ownerEvent, last: last, effects)
        }
        for effect in effects {
            switch effect {
            case .call(let order): requireOpen(closed, order.request.feed)
            case .edit(let order): requireOpen(closed, order.request.feed)
            default: break
            }
            perform(effect, during: event)
        }
        checkBounds()
        return effects
    }

    /// Records the changes of the edits that end at their deadline while their call runs.
    private mutating func recordExpiredEdits() {
        for order in edits.values.sorted(by: { $0.deadline < $1.deadline })
        where !aborted.contains(order.id) && order.deadline <= now {
            recordChange(of: order.request.feed, at: order.deadline)
        }
    }

    private mutating func recordChange(of feed: String, at time: Instant? = nil) {
        let loads = running.values.filter {
            !aborted.contains($0.id) && edits[$0.id] == nil
                && ($0.deadline > now || $0.deadline >= time ?? .never)
        }
        changes.change(feed, overtaking: loads + asks.values.map(\.order))
        cacheModel.change(feed, after: used.map(\.number).max() ?? 0, at: now)
    }

    mutating func advance(to instant: Instant) { now = instant }

    /// Advances the time to `instant` and sends `clockAdvanced`.
    @discardableResult
    mutating func pass(to instant: Instant) -> [Machine.Effect] {
        now = instant
        return send(.clockAdvanced)
    }

    private mutating func perform(_ effect: Machine.Effect, during event: Machine.Event) {
        switch effect {
        case .call(let order):
            require(used.insert(order.id).inserted, "a call's identity was used twice")
            changes.begin(order)
            if changes.hasOvertaken(running.keys, like: order, but: aborted) {
                seen["overtaken", default: 0] += 1
            }
            requireNoTwin(order)
            running[order.id] = order
            checkRetries(order)
        case .edit(let order):
            require(used.insert(order.id).inserted, "a call's identity was used twice")
            edits[order.id] = order
            let call = CallOrder(
                id: order.id, .edit(order.request), idempotencyKey: order.request.idempotencyKey,
                attempt: order.attempt, deadline: order.deadline)
            running[order.id] = call
            checkRetries(call)
            checkSequence(order)
        case .edited(let waiter, let item, _):
            require(waiting.removeValue(forKey: waiter)?.isEdit == true, "no edit has ended")
            require(performed.updateValue(item, forKey: waiter) == nil, "a second outcome")
        case .editUnknown(let waiter, let failure):
            require(waiting.removeValue(forKey: waiter)?.isEdit == true, "no edit has ended")
            require(unknown.updateValue(failure, forKey: waiter) == nil, "a second outcome")
            for order in edits.values
            where order.request.idempotencyKey == "\(waiter)" && !aborted.contains(order.id) {
                recordChange(of: order.request.feed)
            }
        case .abort(let id):
            require(running[id] != nil, "aborts a call that does not run")
            require(aborted.insert(id).inserted, "aborts a call twice")
        case .ask(let owner, let order): ask(owner, order, during: event)
        case .withdraw(let id, let owner):
            require(asks.removeValue(forKey: id)?.owner == owner, "withdraws an unknown ask")
        case .deliver(let waiters, let update):
            require(!waiters.isEmpty, "a delivery has no waiters")
            for waiter in waiters { record(update, for: waiter, during: event) }
        }
    }

    private mutating func requireOpen(
        _ closed: [String: BrokerRules.Feed], _ feed: String
    ) {
        require(closed[feed] == nil, "a call while the breaker is open")
    }

    private mutating func requireNoTwin(_ order: CallOrder) {
        let others = running.filter { !aborted.contains($0.key) && edits[$0.key] == nil }
            .map(\.value)
        let isTwin = (others + asks.values.map(\.order)).contains {
            var twin = $0.request
            twin.trigger = order.request.trigger
            return twin == order.request && !changes.isOvertaken($0.id)
                && !changes.isOvertaken(order.id)
        }
        require(!isTwin, "an equal call or ask is in flight already")
    }

    private mutating func ask(_ owner: NodeID, _ order: RemoteOrder, during event: Machine.Event) {
        require(used.insert(order.id).inserted, "the identity of an ask was used twice")
        require(machine.owners?.live.contains(owner) == true, "asks a node that is not live")
        require(machine.owners?.own != owner, "a node asks itself")
        require(order.deadline > now, "the deadline of an ask has passed")
        if case .started(let request, _, _) = event {
            require(!request.isRemote, "forwards the load of another node")
        }
        let isAskedAgain = if case .ownersChanged = event { true } else { false }
        if isAskedAgain { seen["askedAgain", default: 0] += 1 }
        let call = CallOrder(
            id: order.id, order.request, idempotencyKey: order.idempotencyKey, attempt: 0,
            deadline: order.deadline)
        changes.begin(call, isAskedAgain: isAskedAgain)
        requireNoTwin(call)
        asks[order.id] = (owner, call)
    }

    /// Records the last event of an ask. `last` is the last call or ask that began before.
    private mutating func endAsk(
        _ id: CallID, _ event: OwnerEvent, last: UInt64, _ effects: [Machine.Effect]
    ) {
        // If the last waiter's deadline passes at the same time, the ask has been withdrawn.
        let isWithdrawn = effects.contains {
            if case .withdraw(id, _) = $0 { true } else { false }
        }
        guard !isWithdrawn, let ask = asks.removeValue(forKey: id) else { return }
        if case .page(let page, let remaining) = event, !changes.isOvertaken(id) {
            cacheModel.answer(id, ask.order.request, page, remaining, last: last, at: now)
        }
    }

    private mutating func record(_ update: LoadEvent, for waiter: Int, during event: Machine.Event)
    {
        guard let started = waiting[waiter] else {
            return require(false, "an event was delivered to an unknown waiter")
        }
        switch update {
        case .progressed(let value):
            seen["progress", default: 0] += 1
            require((0...1).contains(value), "progress out of range")
            // A series may report progress more often, because the limit applies to each page.
            if started.series == nil, let last = lastProgress.updateValue(now, forKey: waiter) {
                require(now >= last.advanced(byMilliseconds: 100.0), "progress too often")
            }
        case .retrying(_, _, let failure):
            seen["retrying", default: 0] += 1
            require(failure.isTemporary, "retries a permanent failure")
        case .lookUpEnded(let found):
            waiting[waiter] = nil
            require(started.isLookUp, "the answer to a look-up for a load")
            require(lookUps.updateValue(found, forKey: waiter) == nil, "a second answer")
            require(
                pages.lookUp(started.request, at: { now }) == found,
                "the published pages give another answer")
            guard let found else { return }
            seen["found", default: 0] += 1
            let policy = rules.feeds[started.request.feed]?.policy ?? FeedPolicy()
            var request = started.request
            if policy.isShared { request.subject = nil }
            require(
                cacheModel.mayReturn(
                    request, policy, taking: found.isFresh ? .fresh : .any, at: now),
                "the found page is too old")
            require(
                found.ageMs == cacheModel.ageMs(of: request, at: now), "a page of another age")
        case .ended(let outcome):
            waiting[waiter] = nil
            require(!started.isLookUp, "an outcome of a look-up")
            require(
                performed[waiter] == nil && unknown[waiter] == nil, "an edit has two outcomes")
            require(outcomes.updateValue(outcome, forKey: waiter) == nil, "a second outcome")
            guard case .page(let page) = outcome else { return }
            require(!started.isEdit, "an edit ends with a page")
            require(
                (page.parts != nil) == (started.series != nil), "a page in place of a series")
            if started.series != nil {
                seen["series", default: 0] += 1
                if case .started = event { seen["cachedSeries", default: 0] += 1 }
                return
            }
            let policy = rules.feeds[started.request.feed]?.policy ?? FeedPolicy()
            var request = started.request
            if policy.isShared { request.subject = nil }
            if let mark = page.cursor {
                require(mark == Page.mark(of: request), "the answer belongs to another request")
            }
            if let id = Self.answeredCall(event) {
                require(
                    changes.mayAnswer(waiter, id),
                    "the answer is older than a change that the waiter knows of")
            }
            if case .started(_, waiter, _) = event {
                seen["cached", default: 0] += 1
                let mayBe = cacheModel.mayReturn(
                    request, policy, taking: started.keptPages, at: now)
                require(mayBe, "the cached answer is too old")
            }
        }
    }

    /// The call or ask that `event` answers.
    private static func answeredCall(_ event: Machine.Event) -> CallID? {
        switch event {
        case .answered(let id, _), .ownerEvent(_, let id): id
        case .started, .editStarted, .edited, .waiterCancelled, .progressed, .ownersChanged,
            .ownerPageArrived, .feedChanged, .clockAdvanced, .rulesChanged, .stopped:
            nil
        }
    }

    private mutating func checkRetries(_ order: CallOrder) {
        guard let group = rules.feeds[order.request.feed]?.group else {
            return require(false, "a call for an unknown feed")
        }
        let policy = rules.backends[group] ?? BackendPolicy()
        require(order.attempt <= policy.retry.attempts, "too many attempts")
        if order.attempt == 1 {
            firstCalls[group, default: 0] += 1
        } else {
            seen["retry", default: 0] += 1
            retries[group, default: 0] += 1
        }
        let allowed = 10 + firstCalls[group, default: 0] * policy.retry.budgetPercent / 100
        require(retries[group, default: 0] <= allowed, "more retries than the budget has")
    }

    /// Checks that the edits of a sequence are called one after another, in their order.
    private mutating func checkSequence(_ order: EditOrder) {
        guard let sequence = order.request.sequence, let key = Int(order.request.idempotencyKey)
        else { return }
        let others = edits.values.filter {
            $0.request.sequence == sequence && $0.id != order.id && !aborted.contains($0.id)
        }
        require(others.isEmpty, "two edits of a sequence are called at the same time")
        let last = lastCalled.updateValue(key, forKey: sequence) ?? key
        require(order.attempt == 1 ? last <= key : last == key, "an edit overtakes another one")
        if last < key { seen["sequence", default: 0] += 1 }
    }

    /// Returns whether the circuit breaker of the backend group `name` forbids calls while `event`
    /// is handled.
    private func isClosedToCalls(_ name: String, during event: Machine.Event) -> Bool {
        guard let group = machine.groups.first(where: { $0.name == name }),
            let refusal = group.breaker.refusal(at: now)
        else { return false }
        if refusal.retryAfterMs != nil { return true }
        // If a probe is running, other calls may be permitted when the probe ends or its deadline
        // passes.
        switch event {
        case .answered, .edited: return false
        default: break
        }
        return running.values.allSatisfy { $0.deadline > now }
    }

    private mutating func checkBounds() {
        require(machine.callsInFlight == running.count, "the number of calls in flight is wrong")
        require(running.count <= rules.loadsInFlightMax, "too many calls")
        require(machine.cache.bytes <= rules.cacheBytesMax, "the cache exceeds its byte limit")
        require(
            machine.cache.listCount <= machine.cache.count,
            "the number of remembered lists is too large")
        require(
            machine.followingFlights.count <= machine.flights.count,
            "the number of remembered lists is too large")
        require(Set(machine.asks.keys) == Set(asks.keys), "the asks are wrong")
        for ask in machine.asks.values {
            require(
                Set(ask.earlier + [ask.owner]).count == ask.earlier.count + 1,
                "a node is asked twice for a load")
            require(
                ask.hasAnswered || machine.flights[ask.flight]?.timer != nil,
                "an ask has no timer")
        }
        require(machine.waiterEntries.count == waiting.count, "the number of waiters is wrong")
        for series in machine.seriesLoads.values {
            require(!series.waiters.isEmpty, "a series without waiters")
            require(
                !series.flights.isEmpty
                    && series.flights.values.allSatisfy { machine.flights[$0] != nil },
                "a series waits for a load that does not run")
        }
        require(
            machine.joinableSeries.values.allSatisfy { machine.seriesLoads[$0] != nil },
            "a series that has ended can be joined")
        require(machine.pageOutcomes.isEmpty, "the outcome of a page is not handled")
        let isIdle = machine.flights.isEmpty
        require(
            (machine.nextDeadline == nil) == isIdle,
            "the next deadline is set without a load, or missing")
        if let next = machine.nextDeadline { require(next > now, "the next deadline has passed") }
        for group in machine.groups {
            let policy = rules.backends[group.name] ?? BackendPolicy()
            let calls = running.values.filter {
                rules.feeds[$0.request.feed]?.group == group.name
            }
            require(calls.count <= policy.calls, "too many calls of a backend")
            require(group.gate.running == calls.count, "the number of a backend's calls is wrong")
            require(group.gate.queued <= policy.queue, "a backend's queue is too long")
            if group.breaker.state != .closed { seen["breaker", default: 0] += 1 }
            if group.gate.queued > 0 { seen["queue", default: 0] += 1 }
        }
        for id in running.keys {
            require(machine.isAwaited(id) == !aborted.contains(id), "an aborted call is awaited")
        }
    }

    /// Checks a condition. `#expect` is too slow for the millions of checks of the random runs.
    private mutating func require(_ condition: Bool, _ mistake: String) {
        if condition { return }
        if !hasMistake { Issue.record("seed \(seed), at \(now.milliseconds) ms: \(mistake)") }
        hasMistake = true
    }
}
