internal import RefreshProtocol

// The start of a request. The request is answered from the cache, joins a running load, or starts a
// new load.
extension LoadBroker {
    mutating func start(
        _ brokerRequest: BrokerRequest, for waiter: Waiter, until deadline: Instant,
        at now: Instant, into effects: inout [Effect]
    ) {
        guard waiterEntries[waiter] == nil else {
            // The waiter is already waiting for a load. It receives only the outcome of that load.
            return
        }
        if brokerRequest.isLookUp {
            let found = isStopped ? nil : cachedPage(for: brokerRequest.request, at: now)
            effects.append(.deliver([waiter], .lookUpEnded(found)))
            return
        }
        if let outcome = immediateOutcome(brokerRequest, until: deadline, at: now) {
            effects.append(.deliver([waiter], .ended(outcome)))
            return
        }
        guard let feed = feedNumbers[brokerRequest.request.feed] else { return }
        if brokerRequest.isRemote { updateTally(ofFeed: feed) { $0.remote += 1 } }
        if let series = brokerRequest.series {
            return startSeries(
                series, brokerRequest, feed: feed, for: waiter, until: deadline, at: now,
                into: &effects)
        }
        request(
            brokerRequest, feed: feed, for: .waiter(waiter, until: deadline), at: now,
            into: &effects)
    }

    /// Requests a page for a waiter, or for a series.
    mutating func request(
        _ brokerRequest: BrokerRequest, feed: Int, for user: PageUser, at now: Instant,
        into effects: inout [Effect]
    ) {
        let key = key(of: brokerRequest.request, feed: feed)
        let running = joinableFlights[key]
        if running == nil || brokerRequest.keptPages != .none {
            let hit = cache.cachedAnswer(for: key, accepting: brokerRequest.keptPages, at: now)
            if let outcome = resolveOutcome(of: hit, feed: feed, isRunning: running != nil) {
                switch user {
                case .waiter(let waiter, _):
                    effects.append(.deliver([waiter], .ended(outcome)))
                case .page(let use): pageOutcomes.append((use, outcome))
                }
                if case .stale(_, wantsNew: true) = hit, running == nil {
                    revalidate(key, feed: feed, brokerRequest, at: now, into: &effects)
                }
                return
            }
        }
        if let running {
            updateTally(ofFeed: feed) { $0.joined += 1 }
            add(user, to: running)
            if brokerRequest.isRemote { performAsked(running, at: now, into: &effects) }
        } else {
            let flight = addFlight(key, feed: feed, brokerRequest)
            add(user, to: flight)
            begin(
                flight, brokerRequest, accepting: brokerRequest.keptPages, at: now, into: &effects)
        }
    }

    /// Begins a new load: asks the node that owns the request, or requests a call.
    private mutating func begin(
        _ flight: UInt64, _ brokerRequest: BrokerRequest, accepting keptPages: KeptPages,
        at now: Instant, into effects: inout [Effect]
    ) {
        if !brokerRequest.isRemote,
            askOwner(of: flight, accepting: keptPages, at: now, into: &effects)
        {
            return
        }
        requestCall(for: flight, at: now, into: &effects)
    }

    private mutating func add(_ user: PageUser, to flight: UInt64) {
        switch user {
        case .waiter(let waiter, let deadline): addWaiter(waiter, to: flight, until: deadline)
        case .page(let use):
            flights[flight]?.pageUses.append(use)
            seriesLoads[use.series]?.flights[use.call] = flight
        }
    }

    /// Returns the cached page for a look-up, whether it is fresh or stale.
    private mutating func cachedPage(for request: LoadRequest, at now: Instant) -> FoundPage? {
        guard let feed = feedNumbers[request.feed] else { return nil }
        let key = key(of: request, feed: feed)
        let hit = cache.cachedAnswer(for: key, accepting: .any, at: now)
        if case .failure = hit { return nil }
        guard case .page(let page) = resolveOutcome(of: hit, feed: feed, isRunning: false),
            let ageMs = cache.age(of: key, at: now)
        else { return nil }
        if case .stale = hit { return FoundPage(page: page, ageMs: ageMs, isFresh: false) }
        return FoundPage(page: page, ageMs: ageMs, isFresh: true)
    }

    /// Returns the outcome of a request for which no load is possible. Returns nil for all other
    /// requests.
    private func immediateOutcome(
        _ brokerRequest: BrokerRequest, until deadline: Instant, at now: Instant
    ) -> LoadOutcome? {
        if isStopped { return .cancelled }
        if feedNumbers[brokerRequest.request.feed] == nil {
            // The feed was never configured, or it has been removed.
            return .failed(LoadFailure(.backendRejected, "There is no such feed."))
        }
        return deadline > now ? nil : .timedOut
    }

    func key(of request: LoadRequest, feed: Int) -> RequestKey {
        guard feeds[feed].policy.isShared, request.subject != nil else {
            return RequestKey(request)
        }
        var request = request
        request.subject = nil
        return RequestKey(request)
    }

    /// Returns the outcome of a request with the cached answer `hit`, and counts the use of the
    /// cache. Returns nil if there is no answer or the answer cannot be used.
    private mutating func resolveOutcome(
        of hit: PageCache.Hit?, feed: Int, isRunning: Bool
    ) -> LoadOutcome? {
        switch hit {
        case .fresh(let page):
            updateTally(ofFeed: feed) { $0.hits.fresh += 1 }
            return .page(page)
        case .coolDown(let page):
            updateTally(ofFeed: feed) { $0.hits.coolDown += 1 }
            return .page(page)
        case .stale(let page, _):
            updateTally(ofFeed: feed) { $0.hits.stale += 1 }
            return .page(page)
        case .failure(let failure):
            // A cached failure is not used while an equal load is running, because that load may
            // succeed.
            if isRunning { return nil }
            updateTally(ofFeed: feed) { $0.hits.failure += 1 }
            return .failed(failure)
        case nil:
            return nil
        }
    }

    private mutating func revalidate(
        _ key: RequestKey, feed: Int, _ brokerRequest: BrokerRequest, at now: Instant,
        into effects: inout [Effect]
    ) {
        updateTally(ofFeed: feed) { $0.revalidations += 1 }
        let flight = addFlight(key, feed: feed, brokerRequest)
        flights[flight]?.cacheDeadline = now.advanced(byMilliseconds: Double(loadDeadlineMs))
        // A stale page of the owner is not newer than the stale page of this node.
        begin(flight, brokerRequest, accepting: .fresh, at: now, into: &effects)
    }

    private mutating func addFlight(_ key: RequestKey, feed: Int, _ brokerRequest: BrokerRequest)
        -> UInt64
    {
        lastFlight += 1
        flights[lastFlight] = SharedLoad(
            key: key, trigger: brokerRequest.request.trigger, feed: feed, group: feeds[feed].group,
            idempotencyKey: brokerRequest.idempotencyKey)
        joinableFlights[key] = lastFlight
        followingFlights.insert(lastFlight, of: key.request)
        return lastFlight
    }

    /// Records that a feed has newer data. Later requests cannot join the running calls and asks of
    /// the feed. They can join loads that still wait for a call, because those calls will read the
    /// newer data.
    mutating func handleFeedChange(feed: Int, at now: Instant) {
        stopJoiningSeries(ofFeed: feed)
        cache.recordChange(ofFeed: feed, lastCall: CallID(lastCall), at: now)
        for (key, number) in joinableFlights {
            guard let flight = flights[number], flight.feed == feed, flight.phase.mayHaveRead else {
                continue
            }
            flights[number]?.isOutdated = true
            joinableFlights[key] = nil
        }
    }

    // MARK: - Requesting a call

    /// Requests a call for a load. The load gets a call, is queued for a call, or fails.
    mutating func requestCall(for number: UInt64, at now: Instant, into effects: inout [Effect]) {
        guard let group = flights[number]?.group else { return }
        if let refusal = groups[group].breaker.refusal(at: now) {
            rejectSuspended(number, refusal, into: &effects)
        } else if !groups[group].gate.hasCapacity {
            if update(group: group, { $0.gate.enqueue(number) }) {
                flights[number]?.phase = .queued
                setTimer(of: number, to: flights[number]?.cacheDeadline)
            } else {
                let calls = groups[group].gate.callsMax
                let queue = groups[group].gate.queueMax
                let message =
                    queue == 0
                    ? "The backend has no free call (`calls` is \(calls))."
                    : "The backend has no free call (`calls` is \(calls)), and its queue is full "
                        + "(`queue` is \(queue))."
                shed(number, message, into: &effects)
            }
        } else if calls.count >= loadsInFlightMax {
            shed(
                number, "No backend call is free (`loadsInFlightMax` is \(loadsInFlightMax)).",
                into: &effects)
        } else {
            beginCall(for: number, at: now, into: &effects)
        }
    }

    private mutating func shed(
        _ number: UInt64, _ message: String, into effects: inout [Effect]
    ) {
        guard let flight = flights[number] else { return }
        update(group: flight.group) { $0.shed += 1 }
        let waiterCount = waiterCount(of: flight)
        if flight.edit == nil { updateTally(ofFeed: flight.feed) { $0.refused += waiterCount } }
        end(number, .failed(LoadFailure(.backendBusy, message)), into: &effects)
    }

    private mutating func rejectSuspended(
        _ number: UInt64, _ refusal: CircuitBreaker.Refusal, into effects: inout [Effect]
    ) {
        guard let group = flights[number]?.group else { return }
        update(group: group) { $0.suspended += 1 }
        let failure = LoadFailure(
            .backendSuspended,
            "The backend failed too often; calls to it are suspended for a while.",
            retryAfterMs: refusal.retryAfterMs)
        end(number, .failed(failure), into: &effects)
    }

    /// Handles the queue after a call of the group has returned, or after the breaker has changed.
    /// Queued loads get their calls in order. If the breaker refuses calls, all queued loads fail.
    mutating func serveQueue(of group: Int, at now: Instant, into effects: inout [Effect]) {
        while groups[group].gate.queued > 0 {
            let refusal = groups[group].breaker.refusal(at: now)
            guard refusal != nil || groups[group].gate.hasCapacity, calls.count < loadsInFlightMax,
                let number = update(group: group, { $0.gate.dequeue() })
            else { return }
            if let refusal {
                rejectSuspended(number, refusal, into: &effects)
            } else {
                beginCall(for: number, at: now, into: &effects)
            }
        }
    }
}
