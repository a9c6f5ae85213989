internal import RefreshBroker
internal import RefreshProtocol
internal import RefreshServer
internal import RefreshSession

/// The broker on simulated time. It calls real backends and delivers their answers after a
/// simulated latency.
final class SimulatedLoads: LoadDispatching {
    private struct Pending {
        let ticket: LoadTicket
        let brokerRequest: BrokerRequest
        let start: Instant
        let deadlineMs: Double
    }

    private struct Delivery {
        let ticket: LoadTicket
        let feed: String
        let event: LoadEvent
        let at: Instant
    }

    private let feeds: [String: SimulatedFeed]
    private let latencyMs: Double
    private var pending: [Pending] = []
    private var deliveries: [Delivery] = []
    /// A cached first page.
    private struct CachedPage {
        let page: Page
        let at: Instant
        /// Whether the feed has newer data than the page.
        var isOutdated = false
    }

    /// The cached first pages, by request. Requests that differ only in their trigger have the same
    /// page.
    private var cached: [LoadRequest: CachedPage] = [:]
    /// The feeds that requests have changed, if the sessions have not been notified of the change
    /// yet.
    private var changedFeeds: [SimulatedFeed] = []
    /// The hash function of items. The key of the function is the same in every run, because the
    /// simulated items are not secret.
    static let itemHash = SipHash(key: 1, 2)
    /// The reports of changes that requests have caused, if the sessions have not been notified
    /// yet.
    private var reports: [FeedChange] = []
    /// The outcomes of edits, with the times at which they are due.
    private var editOutcomes: [(edit: EndedEdit, at: Instant)] = []
    private let changeReader: ChangeReader
    /// The simulated time, set by the owner of the clock.
    var now: Instant

    init(_ feeds: [SimulatedFeed], latencyMs: Double, now: Instant) {
        var named: [String: SimulatedFeed] = [:]
        for feed in feeds { named[feed.description.name] = feed }
        self.feeds = named
        changeReader = ChangeReader(
            feeds: named.mapValues {
                .init(itemKey: $0.itemKey, parameters: $0.description.parameters)
            }, hashedBy: Self.itemHash)
        self.latencyMs = latencyMs
        self.now = now
    }

    func start(_ ticket: LoadTicket, _ brokerRequest: BrokerRequest, deadlineMs: Int) {
        let found = cachedPage(for: brokerRequest.request)
        func deliver(_ event: LoadEvent) {
            deliveries.append(
                Delivery(
                    ticket: ticket, feed: brokerRequest.request.feed, event: event, at: now))
        }
        if brokerRequest.isLookUp { return deliver(.lookUpEnded(found)) }
        if brokerRequest.series == nil, let found, brokerRequest.keptPages.accepts(found) {
            return deliver(.ended(.page(found.page)))
        }
        pending.append(
            Pending(
                ticket: ticket, brokerRequest: brokerRequest, start: now,
                deadlineMs: Double(deadlineMs)))
    }

    func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {
        pending.removeAll { $0.ticket == ticket }
        deliveries.removeAll { $0.ticket == ticket }
    }

    /// Calls the backends for all started loads. The answers are queued until they are due.
    func callBackends() async {
        while !pending.isEmpty {
            let next = pending.removeFirst()
            let (outcome, afterMs) =
                next.brokerRequest.series == nil
                ? await call(next.brokerRequest.request, for: next, afterMs: 0)
                : await callForPages(of: next)
            deliveries.append(
                Delivery(
                    ticket: next.ticket, feed: next.brokerRequest.request.feed,
                    event: .ended(outcome), at: next.start.advanced(byMilliseconds: afterMs)))
        }
    }

    /// Calls the backend for a load, `afterMs` milliseconds after the start of the load. Returns
    /// the outcome, and the time of the outcome after the start of the load.
    private func call(
        _ request: LoadRequest, for load: Pending, afterMs: Double
    ) async -> (LoadOutcome, afterMs: Double) {
        let latencyMs = latencyMs + (feeds[request.feed]?.slownessMs(request) ?? 0)
        guard afterMs + latencyMs < load.deadlineMs else { return (.timedOut, load.deadlineMs) }
        let outcome = await answer(to: request)
        if case .page(let page) = outcome, request.kind == .refresh {
            let due = load.start.advanced(byMilliseconds: afterMs + latencyMs)
            cached[Self.key(request)] = CachedPage(page: page, at: due)
        }
        if let feed = feeds[request.feed], feed.isChangedBy(request) { changedFeeds.append(feed) }
        if let report = feeds[request.feed]?.report(request) {
            let change = try? changeReader.change(of: request.feed, in: report.span)
            reports.append(change ?? FeedChange(request.feed))
        }
        return (outcome, afterMs + latencyMs)
    }

    /// Calls the backend for all pages of a series (`PageSeries`: consecutive pages that are
    /// requested together).
    private func callForPages(of load: Pending) async -> (LoadOutcome, afterMs: Double) {
        guard let series = load.brokerRequest.series else { return (.cancelled, 0) }
        var collection = PageCollection(load.brokerRequest.request, series)
        // Calls that begin later also end later, so the answers arrive in the order of the calls.
        var calls = collection.begin().map { (call: $0, afterMs: 0.0) }
        while !calls.isEmpty {
            let next = calls.removeFirst()
            let request = next.call.request(of: load.brokerRequest.request)
            var answer = (LoadOutcome.cancelled, afterMs: next.afterMs)
            if let found = cachedPage(for: request), load.brokerRequest.keptPages.accepts(found) {
                answer.0 = .page(found.page)
            } else {
                answer = await call(request, for: load, afterMs: next.afterMs)
            }
            guard case .page(let page) = answer.0,
                let step = collection.accept(page, for: next.call.id)
            else { return answer }
            if step.isComplete { return (.page(collection.joined()), answer.afterMs) }
            calls.removeAll { step.cancelled.contains($0.call) }
            calls += step.started.map { ($0, answer.afterMs) }
        }
        return (.cancelled, 0)
    }

    /// Removes and returns the feeds that requests have changed.
    func consumeChangedFeeds() -> [SimulatedFeed] {
        defer { changedFeeds = [] }
        return changedFeeds
    }

    /// Removes and returns the changes that requests have reported.
    func consumeReports() -> [FeedChange] {
        defer { reports = [] }
        return reports
    }

    // MARK: Edits

    /// An edit that has ended, and the change of the list that it has made.
    struct EndedEdit {
        let ticket: EditTicket
        let request: EditRequest
        let outcome: EditOutcome

        var change: FeedChange? {
            let item: EditedItem?
            switch outcome {
            case .confirmed: item = nil
            case .replaced(let replacement): item = replacement
            case .unknown: return FeedChange(request.feed)
            case .failed, .cancelled: return nil
            }
            let change = ItemChange(
                parameters: request.parameters, request.operations(replacedBy: item))
            return FeedChange(
                request.feed, count: NewerCount(change.insertCount), items: [change])
        }
    }

    func edit(_ ticket: EditTicket, _ request: EditRequest, deadlineMs: Int) {
        guard let feed = feeds[request.feed] else { return }
        let (outcome, afterMs) = feed.edit(request, Self.itemHash)
        editOutcomes.append(
            (
                EndedEdit(ticket: ticket, request: request, outcome: outcome),
                now.advanced(byMilliseconds: latencyMs + afterMs)
            ))
    }

    /// Removes and returns the first edit whose answer is due.
    func dequeueEndedEdit() -> EndedEdit? {
        guard let index = editOutcomes.firstIndex(where: { $0.at <= now }) else { return nil }
        return editOutcomes.remove(at: index).edit
    }

    /// Makes the cached pages of a feed stale, because the feed has newer data.
    func makeCachedPagesStale(ofFeed feed: String) {
        for request in cached.keys where request.feed == feed { cached[request]?.isOutdated = true }
    }

    private static func key(_ request: LoadRequest) -> LoadRequest {
        var request = request
        request.trigger = .manual
        return request
    }

    /// Returns the cached first page for the request, fresh or stale.
    private func cachedPage(for request: LoadRequest) -> FoundPage? {
        guard let cache = feeds[request.feed]?.cache, let hit = cached[Self.key(request)],
            hit.at <= now
        else { return nil }
        let ageMs = Int(now.milliseconds(since: hit.at))
        guard ageMs < cache.lifetimeMs + cache.staleMs else { return nil }
        return FoundPage(
            page: hit.page, ageMs: ageMs, isFresh: !hit.isOutdated && ageMs < cache.lifetimeMs)
    }

    private func answer(to request: LoadRequest) async -> LoadOutcome {
        guard let feed = feeds[request.feed] else {
            return .failed(LoadFailure(.backendUnavailable, "There is no such feed."))
        }
        do {
            var page = try await feed.backend.load(BackendCall(request))
            page.itemKeys = feed.itemKey.flatMap {
                ItemKeys(of: page, at: $0, hashedBy: Self.itemHash)
            }
            return .page(page)
        } catch {
            return .failed(error)
        }
    }

    /// Returns the tickets of all outstanding loads of the feed.
    func tickets(ofFeed feed: String) -> [LoadTicket] {
        pending.filter { $0.brokerRequest.request.feed == feed }.map(\.ticket)
            + deliveries.filter { $0.feed == feed }.map(\.ticket)
    }

    var nextDelivery: Instant? { (deliveries.map(\.at) + editOutcomes.map(\.at)).min() }

    /// Removes and returns the first answer that is due.
    func dequeueDueDelivery() -> (ticket: LoadTicket, event: LoadEvent)? {
        guard let index = deliveries.firstIndex(where: { $0.at <= now }) else { return nil }
        let delivery = deliveries.remove(at: index)
        return (delivery.ticket, delivery.event)
    }
}

extension KeptPages {
    fileprivate func accepts(_ found: FoundPage) -> Bool {
        self == .any || self == .fresh && found.isFresh
    }
}
