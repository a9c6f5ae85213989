import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// The loads of the views. They are started and ended as the engines require. The broker's events
/// and the changes of feeds are handled here too.
extension Conversation {
    // MARK: Effects of the engines

    mutating func showList(count: Int, hasMore: Bool, ofViewAt index: Int) {
        if count == 0 { views[index].feed?.shownItems.removeAll() }
        // A list is without a page only after a reset. An empty page also sets the number of items
        // to 0, but replaces the earlier pages at the client.
        if !views[index].engine.paging.hasPage {
            outbox.cancelPages(of: views[index].id, generation: views[index].generation)
        }
        views[index].update.setList(count: count, hasMore: hasMore)
        views[index].update.setLastUpdated(views[index].engine.refresh.lastUpdated)
    }

    mutating func startLoad(
        _ order: LoadOrder, forViewAt index: Int, at now: Instant
    ) {
        enqueueUpdate(ofViewAt: index)
        let view = views[index].id
        recordLoadStart(of: order.id, order.kind, for: views[index], at: now)
        guard let feed = views[index].feed else {
            return outbox.append(.began(order.id, ServerText.load(order, view: view)))
        }
        outbox.append(.began(order.id, ServerText.loadingBegan(order, view: view)))
        requestPage(from: feed, for: order, of: view, at: now)
    }

    /// Requests a page for a view from the broker.
    func requestPage(from feed: FeedUse, for order: LoadOrder, of view: ViewID, at now: Instant) {
        services.onGrowth?(Self.grownBytesPerLoad, key, now)
        let isFirst =
            order.kind == .refresh
            || views.contains { $0.id == view && !$0.engine.paging.hasPage }
        let request = LoadRequest(
            feed: feed.name, kind: order.kind, trigger: order.trigger, page: order.page,
            offset: order.offset, size: order.size, cursor: order.cursor,
            parameters: feed.parameters, headers: feed.headers, subject: principal.subject)
        services.loads.start(
            LoadTicket(session: key, view: view, load: order.id),
            BrokerRequest(
                request,
                idempotencyKey: IdempotencyKey.text(session: name, load: order.id, of: request),
                keptPages: isFirst ? order.cause.keptPages : .any),
            // A client may request a deadline that is shorter than the daemon's, but not a longer
            // one.
            deadlineMs: min(order.deadlineMs, services.limits.loadDeadlineMs))
    }

    mutating func endLoad(
        _ load: LoadID, _ kind: LoadKind, _ result: LoadResult, ofViewAt index: Int,
        because source: EventSource, at now: Instant
    ) {
        outbox.removeProgress(of: load)
        enqueueUpdate(ofViewAt: index)
        if let deduplicated = source.deduplicatedPage, result.isAccepted {
            let forgotten = views[index].feed?.shownItems.record(
                deduplicated, of: kind, most: services.limits.itemKeysPerViewMax)
            services.metrics.recordForgottenItemKeys(forgotten ?? 0)
        }
        let view = views[index].id
        recordLoadEnd(of: load, kind, result, for: views[index], at: now)
        if source.outcome == nil, views[index].feed != nil {
            services.loads.cancel(
                LoadTicket(session: key, view: view, load: load),
                because: result == .timedOut ? .outOfTime : .unwanted)
        }
        // The message depends on the engine's result, which may differ from the broker's outcome.
        switch (result, source.outcome) {
        case (.success, .page(let page)), (.empty, .page(let page)), (.noMore, .page(let page)):
            let deduplicated = source.deduplicatedPage
            let head = ServerText.itemsHead(
                load, kind, page, removed: deduplicated?.removed ?? 0, of: views[index])
            outbox.append(.items(load, kind, head: head, page: page, deduplicated: deduplicated))
            // The page is copied into a frame, and the socket may not accept this frame at once.
            services.onGrowth?(
                2 * page.items.count + Self.grownBytesPerKey * (page.itemKeys?.hashes.count ?? 0),
                key, now)
        case (.failed, .failed(let failure)):
            outbox.append(.text(ServerText.loadingFailed(load, kind, failure, view: view)))
        case (.cancelled, let outcome), (.timedOut, let outcome):
            if let outcome { recordLateAnswer(outcome) }
            // If the client itself ended the load, it needs no message about the end.
            guard !source.isClientBackend else { return }
            outbox.append(.text(ServerText.loadingEnded(load, kind, result, view: view)))
        // The client itself performs these loads, and already has their results.
        case (.success, _), (.empty, _), (.noMore, _), (.failed, _), (.refused, _): break
        }
    }

    func ticket(for load: LoadID, of slot: ViewSlot) -> LoadTicket {
        LoadTicket(session: key, view: slot.id, load: load)
    }

    // MARK: Events of the broker

    mutating func handleLoadEvent(_ load: LoadID, _ event: LoadEvent, at now: Instant) {
        switch event {
        case .ended(let outcome): handleLoadEnd(load, outcome, at: now)
        case .progressed(let progress):
            guard let (kind, view) = resolveRunningLoad(load) else { return }
            outbox.appendProgress(
                ServerText.loadingProgress(load, kind, progress, view: view),
                of: load)
        case .retrying(let attempt, let afterMs, let failure):
            guard let (kind, view) = resolveRunningLoad(load) else { return }
            outbox.appendProgress(
                ServerText.loadingRetries(
                    load, kind, attempt: attempt, afterMs: afterMs, failure, view: view),
                of: load)
        }
    }

    private mutating func handleLoadEnd(
        _ load: LoadID, _ outcome: LoadOutcome, at now: Instant
    ) {
        guard let index = viewIndex(generation: load.generation) else {
            return recordLateAnswer(outcome)
        }
        var deduplicated: DeduplicatedPage?
        if case .page(let page) = outcome, page.itemKeys != nil, let feed = views[index].feed,
            let kind = views[index].engine.kind(ofRunning: load)
        {
            deduplicated = feed.shownItems.deduplicated(page, of: kind) {
                services.feed(named: feed.name)?.itemKey
            }
        }
        applyEvent(
            .loadEnded(load, LoadEnding(outcome, removed: deduplicated?.removed ?? 0)),
            toViewAt: index, because: .broker(outcome, deduplicated), at: now)
    }

    /// Records that the list of a view has ended because its cursor does not advance. If the view
    /// has a feed, this is also logged for the operator. A client that is its own backend must
    /// handle such a cursor itself.
    func recordStall(ofViewAt index: Int, at now: Instant) {
        services.metrics.loads.recordStalledCursor()
        guard let feed = views[index].feed, services.recordStall(at: now) else { return }
        services.onStalledCursor?(feed.name, name)
    }

    func hasViews(of feed: String) -> Bool { views.contains { $0.feed?.name == feed } }

    /// Notifies the views that show the feed.
    mutating func handleFeedChange(_ feed: String, at now: Instant) {
        for index in views.indices where views[index].feed?.name == feed {
            applyEvent(.feedChanged, toViewAt: index, because: .feed, at: now)
        }
    }
}

extension Cause {
    /// The cached pages that a load of the first page accepts in place of a new answer, by its
    /// cause.
    fileprivate var keptPages: KeptPages {
        switch self {
        case .finger, .wheel, .key, .accessibility, .code, .retry: .none
        case .changed: .fresh
        case .fill, .stale, .visual: .any
        }
    }
}
