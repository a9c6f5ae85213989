internal import RefreshProtocol

// Series: several pages that are requested as one load, and answered with one answer.
extension LoadBroker {
    /// Starts a series, or joins an equal one. A series can be joined until one of its pages has
    /// arrived. So no waiter receives a page that arrived before the waiter's request.
    mutating func startSeries(
        _ series: PageSeries, _ brokerRequest: BrokerRequest, feed: Int, for waiter: Waiter,
        until deadline: Instant, at now: Instant, into effects: inout [Effect]
    ) {
        let key = SeriesKey(
            request: key(of: brokerRequest.request, feed: feed), series: series,
            keptPages: brokerRequest.keptPages)
        if let running = joinableSeries[key] {
            updateTally(ofFeed: feed) { $0.joined += 1 }
            return addWaiter(waiter, to: running, until: deadline)
        }
        lastFlight += 1
        let number = lastFlight
        var load = SeriesLoad<Waiter>(
            key: key, feed: feed, trigger: brokerRequest.request.trigger,
            idempotencyKey: brokerRequest.idempotencyKey,
            keptPages: keptPages(ofSeries: key, at: now),
            collection: PageCollection(key.request.request, series))
        let calls = load.collection.begin()
        seriesLoads[number] = load
        joinableSeries[key] = number
        addWaiter(waiter, to: number, until: deadline)
        for call in calls { requestPage(call, of: number, at: now, into: &effects) }
    }

    /// The cached pages that a series accepts. If all pages are requested at the same time and the
    /// feed's first page is not cached, the other pages must not come from the cache, because they
    /// can belong to an older list.
    private mutating func keptPages(ofSeries key: SeriesKey, at now: Instant) -> KeptPages {
        guard key.series.skipped == 0, key.series.style != .cursor else { return key.keptPages }
        switch cache.cachedAnswer(for: key.request, accepting: key.keptPages, at: now) {
        case .fresh, .coolDown, .stale: return key.keptPages
        case .failure, nil: return .none
        }
    }

    private mutating func requestPage(
        _ call: PageCollection.Call, of number: UInt64, at now: Instant,
        into effects: inout [Effect]
    ) {
        guard let load = seriesLoads[number] else { return }
        var request = call.request(of: load.key.request.request)
        request.trigger = load.trigger
        // A series that requests the first pages instead of the wanted ones begins a new list.
        let isSameList = load.collection.skipped == load.key.series.skipped
        self.request(
            BrokerRequest(
                request,
                idempotencyKey: IdempotencyKey.text(load: load.idempotencyKey, of: request),
                keptPages: isSameList ? load.keptPages : .none),
            feed: load.feed, for: .page(PageUse(series: number, call: call.id)), at: now,
            into: &effects)
    }

    /// Handles the outcomes of pages until no outcome is left. The outcomes are handled after the
    /// event that caused them. So loads that wait for a call get it before the next page of a
    /// series does.
    mutating func handlePageOutcomes(at now: Instant, into effects: inout [Effect]) {
        while !pageOutcomes.isEmpty {
            let outcomes = pageOutcomes
            pageOutcomes.removeAll(keepingCapacity: true)
            for (use, outcome) in outcomes {
                // An earlier outcome can have ended the series, or have cancelled the page.
                guard seriesLoads[use.series]?.collection.isRunning(use.call) == true else {
                    continue
                }
                seriesLoads[use.series]?.flights[use.call] = nil
                if case .page(let page) = outcome {
                    accept(page, for: use, at: now, into: &effects)
                } else {
                    endSeries(use.series, outcome, at: now, into: &effects)
                }
            }
        }
    }

    private mutating func accept(
        _ page: Page, for use: PageUse, at now: Instant, into effects: inout [Effect]
    ) {
        let number = use.series
        guard let step = seriesLoads[number]?.collection.accept(page, for: use.call) else { return }
        stopJoining(number)
        for call in step.cancelled {
            leave(PageUse(series: number, call: call.id), at: now, into: &effects)
        }
        for call in step.started { requestPage(call, of: number, at: now, into: &effects) }
        guard step.isComplete, let joined = seriesLoads[number]?.collection.joined() else { return }
        endSeries(number, .page(joined), at: now, into: &effects)
    }

    private mutating func stopJoining(_ number: UInt64) {
        guard let key = seriesLoads[number]?.key, joinableSeries[key] == number else { return }
        joinableSeries[key] = nil
    }

    /// Ends a series with the same outcome for all its waiters. A call that only this series needed
    /// is then abandoned. `reason` is the result with which such calls are counted.
    mutating func endSeries(
        _ number: UInt64, _ outcome: LoadOutcome, because reason: LoadResult = .cancelled,
        at now: Instant, into effects: inout [Effect]
    ) {
        stopJoining(number)
        guard let load = seriesLoads.removeValue(forKey: number) else { return }
        let waiters = load.waiters.present
        for waiter in waiters { waiterEntries[waiter] = nil }
        if !waiters.isEmpty { effects.append(.deliver(waiters, .ended(outcome))) }
        for (call, flight) in load.flights.sorted(by: { $0.key < $1.key }) {
            release(
                PageUse(series: number, call: call), of: flight, because: reason, at: now,
                into: &effects)
        }
    }

    /// Withdraws the request of a series for a page.
    private mutating func leave(_ use: PageUse, at now: Instant, into effects: inout [Effect]) {
        guard let flight = seriesLoads[use.series]?.flights.removeValue(forKey: use.call) else {
            return
        }
        release(use, of: flight, because: .cancelled, at: now, into: &effects)
    }

    private mutating func release(
        _ use: PageUse, of flight: UInt64, because reason: LoadResult, at now: Instant,
        into effects: inout [Effect]
    ) {
        flights[flight]?.pageUses.removeAll { $0 == use }
        cancelIfUnneeded(flight, because: reason, at: now, into: &effects)
    }

    /// Passes an event of a page to the waiters of its series. Instead of the progress of the page,
    /// the waiters receive the progress of the whole series.
    mutating func deliver(_ event: LoadEvent, to use: PageUse, into effects: inout [Effect]) {
        guard let waiters = seriesLoads[use.series]?.waiters.present, !waiters.isEmpty else {
            return
        }
        guard case .progressed(let value) = event else {
            return effects.append(.deliver(waiters, event))
        }
        seriesLoads[use.series]?.collection.recordProgress(value, of: use.call)
        let whole = seriesLoads[use.series]?.collection.progress ?? value
        effects.append(.deliver(waiters, .progressed(whole)))
    }

    /// The latest of the deadlines of a load. These are the deadlines of its waiters, of the
    /// waiters of its series, and of the cache.
    func lastDeadline(of flight: SharedLoad<Waiter>) -> Instant? {
        flight.pageUses.reduce(flight.lastDeadline) { last, use in
            [last, seriesLoads[use.series]?.waiters.lastDeadline].compactMap { $0 }.max()
        }
    }

    /// The number of waiters of a load, including the waiters of its series.
    func waiterCount(of flight: SharedLoad<Waiter>) -> Int {
        flight.pageUses.reduce(flight.waiters.count) {
            $0 + (seriesLoads[$1.series]?.waiters.count ?? 0)
        }
    }

    /// Ends the series of a feed that was removed, or that has another backend now. The pages of
    /// two backends are not one list.
    mutating func endSeries(ofFeed feed: Int, at now: Instant, into effects: inout [Effect]) {
        let numbers = seriesLoads.filter { $0.value.feed == feed }.keys.sorted()
        let failure = LoadFailure(
            .backendUnavailable, "The configuration of the feed has changed during the load.")
        for number in numbers { endSeries(number, .failed(failure), at: now, into: &effects) }
    }

    /// Prevents later requests from joining the present series of a feed.
    mutating func stopJoiningSeries(ofFeed feed: Int) {
        joinableSeries = joinableSeries.filter { seriesLoads[$1]?.feed != feed }
    }
}
