import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// Refresh at depth: a load that requests several pages from the broker, and ends once. Source:
/// docs/protocol.md, "Refresh at depth".
extension Conversation {
    /// Requests the pages of a refresh at depth.
    func requestPages(from feed: FeedUse, for order: LoadOrder, of view: ViewID, at now: Instant) {
        let style =
            viewIndex(view).map { views[$0].engine.paging.options.style } ?? PagingStyle.page
        let deadlineMs = min(order.deadlineMs, services.limits.loadDeadlineMs)
        var collection = PageCollection(
            order, style: style, due: now.advanced(byMilliseconds: Double(deadlineMs)))
        let calls = collection.begin()
        feed.collection = collection
        for call in calls { request(call, from: feed, for: order, of: view, at: now) }
    }

    private func request(
        _ call: PageCollection.Call, from feed: FeedUse, for order: LoadOrder, of view: ViewID,
        at now: Instant
    ) {
        services.onGrowth?(Self.grownBytesPerLoad, key, now)
        let request = LoadRequest(
            feed: feed.name, kind: call.kind, trigger: order.trigger, page: call.page,
            offset: call.offset, size: order.size, cursor: call.cursor,
            parameters: feed.parameters, headers: feed.headers, subject: principal.subject)
        let leftMs = feed.collection?.due.milliseconds(since: now) ?? 0
        services.loads.start(
            LoadTicket(session: key, view: view, load: call.id),
            BrokerRequest(
                request,
                idempotencyKey: IdempotencyKey.text(session: name, load: order.id, of: request),
                keptPages: order.cause.keptPages(hasFeatures: inbound.features != nil)),
            deadlineMs: max(1, Int(leftMs.rounded(.up))))
    }

    /// The index of the view whose refresh at depth has made this request; nil if there is none.
    func indexOfCollection(with load: LoadID) -> Int? {
        guard let index = viewIndex(generation: load.generation),
            views[index].feed?.collection?.owns(load) == true
        else { return nil }
        return index
    }

    /// Handles an event of a request for one page.
    mutating func handlePageEvent(
        _ id: LoadID, _ event: LoadEvent, ofViewAt index: Int, at now: Instant
    ) {
        guard let feed = views[index].feed, let load = feed.collection?.load else { return }
        guard feed.collection?.calls.contains(where: { $0.id == id }) == true else {
            if case .ended(let outcome) = event { return recordLateAnswer(outcome) }
            return services.metrics.loads.recordLateAnswer()
        }
        let view = views[index].id
        switch event {
        case .ended(.page(let page)): collect(page, for: id, ofViewAt: index, at: now)
        case .ended(let outcome):
            feed.collection?.forgetCall(id)
            applyEvent(
                .loadEnded(load, LoadEnding(outcome)), toViewAt: index,
                because: .broker(outcome, nil), at: now)
        case .progressed(let progress):
            feed.collection?.recordProgress(progress, of: id)
            let whole = feed.collection?.progress ?? progress
            outbox.appendProgress(
                ServerText.loadingProgress(load, .refresh, whole, view: view), of: load)
        case .retrying(let attempt, let afterMs, let failure):
            outbox.appendProgress(
                ServerText.loadingRetries(
                    load, .refresh, attempt: attempt, afterMs: afterMs, failure, view: view),
                of: load)
        case .lookUpEnded: break
        }
    }

    /// Collects a page. When all pages are there, the load ends.
    private mutating func collect(
        _ page: Page, for id: LoadID, ofViewAt index: Int, at now: Instant
    ) {
        guard let feed = views[index].feed, let load = feed.collection?.load,
            let step = feed.collection?.accept(page, for: id)
        else { return }
        services.onGrowth?(page.items.count, key, now)
        for call in step.cancelled { cancel(call, ofViewAt: index, because: .unwanted) }
        if !step.started.isEmpty,
            let order = views[index].engine.loadsInFlight.first(where: { $0.id == load })
        {
            for call in step.started {
                request(call, from: feed, for: order, of: views[index].id, at: now)
            }
        }
        guard step.isComplete, let collection = feed.collection else { return }
        let joined = collection.joined()
        let deduplicated = deduplicated(joined, of: .refresh, forViewAt: index)
        var ending = LoadEnding(.page(joined), removed: deduplicated?.removed ?? 0)
        (ending.pages, ending.lastCount) = collection.ending
        ending.skipped = collection.skipped
        applyEvent(
            .loadEnded(load, ending), toViewAt: index,
            because: .broker(.page(joined), deduplicated), at: now)
    }

    private func cancel(
        _ call: PageCollection.Call, ofViewAt index: Int, because reason: LeaveReason
    ) {
        services.loads.cancel(ticket(for: call.id, of: views[index]), because: reason)
    }

    /// Cancels what the broker still does for a load that has ended. Returns the number of pages of
    /// a refresh at depth; nil for another load. `isAnswered` states whether the broker has
    /// reported the end of the load.
    func finishRequests(
        for load: LoadID, of slot: ViewSlot, because reason: LeaveReason, isAnswered: Bool
    ) -> Int? {
        guard let feed = slot.feed else { return nil }
        guard let collection = feed.collection, collection.load == load else {
            if !isAnswered { services.loads.cancel(ticket(for: load, of: slot), because: reason) }
            return nil
        }
        feed.collection = nil
        for call in collection.calls {
            services.loads.cancel(ticket(for: call.id, of: slot), because: reason)
        }
        return collection.ending.pages
    }
}
