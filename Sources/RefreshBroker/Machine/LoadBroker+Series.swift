internal import RefreshProtocol

// Series: several pages that are requested as one load, and answered at once.
extension LoadBroker {
    /// Starts a series, or joins an equal one. A series can be joined until its first page is
    /// there, so that no waiter receives a page whose call ended before its request.
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
            collection: PageCollection(key.request.request, series))
        let calls = load.collection.begin()
        seriesLoads[number] = load
        joinableSeries[key] = number
        addWaiter(waiter, to: number, until: deadline)
        for call in calls { requestPage(call, of: number, at: now, into: &effects) }
    }

    private mutating func requestPage(
        _ call: PageCollection.Call, of number: UInt64, at now: Instant,
        into effects: inout [Effect]
    ) {
        guard let load = seriesLoads[number] else { return }
        var request = call.request(of: load.key.request.request)
        request.trigger = load.trigger
        self.request(
            BrokerRequest(
                request,
                idempotencyKey: IdempotencyKey.text(load: load.idempotencyKey, of: request),
                keptPages: load.key.keptPages),
            feed: load.feed, for: .page(PageUse(series: number, call: call.id)), at: now,
            into: &effects)
    }

    /// Handles the outcomes of pages until none is left. They are handled after the event that
    /// caused them, so that loads that wait for a call precede the next page of a series.
    mutating func handlePageOutcomes(at now: Instant, into effects: inout [Effect]) {
        while !pageOutcomes.isEmpty {
            let outcomes = pageOutcomes
            pageOutcomes.removeAll(keepingCapacity: true)
            for (use, outcome) in outcomes {
                guard seriesLoads[use.series] != nil else { continue }
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

    /// Ends a series with the same outcome for all its waiters. `reason` is the result of the calls
    /// that no load needs any more.
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

    /// Gives up a request for a page.
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

    /// Passes an event of a page to the waiters of its series.
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

    /// The latest deadline of all waiters of a load, of the waiters of its series, and of the
    /// cache.
    func lastDeadline(of flight: SharedLoad<Waiter>) -> Instant? {
        flight.pageUses.reduce(flight.lastDeadline) { last, use in
            [last, seriesLoads[use.series]?.waiters.lastDeadline].compactMap { $0 }.max()
        }
    }

    /// The number of waiters that a load has, also by series.
    func waiterCount(of flight: SharedLoad<Waiter>) -> Int {
        flight.pageUses.reduce(flight.waiters.count) {
            $0 + (seriesLoads[$1.series]?.waiters.count ?? 0)
        }
    }

    /// Later requests for the series of a feed start other series.
    mutating func stopJoiningSeries(ofFeed feed: Int) {
        joinableSeries = joinableSeries.filter { seriesLoads[$1]?.feed != feed }
    }
}
