import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// The loads of the views. They are started and ended as the engines require. The events of the
/// broker are handled here too.
extension Conversation {
    // MARK: Effects of the engines

    mutating func showList(count: Int, hasMore: Bool, ofViewAt index: Int) {
        if count == 0 { views[index].feed?.shownItems.removeAll() }
        // After a reset, pages that are still queued must not be delivered. `hasPage` is false only
        // after a reset. If an empty page has set `count` to 0, the queued pages may be delivered:
        // the client replaces them when it receives the empty page.
        if !views[index].engine.paging.hasPage {
            outbox.cancelPages(of: views[index].id, generation: views[index].generation)
            views[index].feed?.forgetList()
        }
        views[index].update.setList(
            count: count, hasMore: hasMore, lastUpdated: views[index].engine.refresh.lastUpdated)
    }

    mutating func startLoad(
        _ order: LoadOrder, forViewAt index: Int, at now: Instant
    ) {
        let view = views[index].id
        if order.source == .lookUp {
            guard let feed = views[index].feed else { return }
            return requestPage(from: feed, for: order, of: view, at: now)
        }
        if order.kind == .refresh { recordRefreshStart(ofViewAt: index) }
        updateVerification(ofViewAt: index) { $0.recordRequest(at: now) }
        enqueueUpdate(ofViewAt: index)
        recordLoadStart(of: order.id, order.kind, for: views[index], at: now)
        outbox.append(.began(order.id, beginningText(of: order, for: views[index])))
        if order.source == .backend, let feed = views[index].feed {
            requestPage(from: feed, for: order, of: view, at: now)
        }
    }

    /// Requests the page of a load again, because the items before it have moved.
    mutating func repeatLoad(_ order: LoadOrder, forViewAt index: Int, at now: Instant) {
        guard let feed = views[index].feed else { return }
        updateVerification(ofViewAt: index) { $0.recordRequest(at: now) }
        requestPage(from: feed, for: order, of: views[index].id, at: now)
    }

    /// The message about the beginning of a load: a request to a client that is the backend, or a
    /// report about a load of a feed.
    func beginningText(of order: LoadOrder, for slot: ViewSlot) -> [UInt8] {
        var order = order
        if inbound.features == nil {
            order.cause = order.cause.withoutFeatures
            order.pages = 1
        }
        return slot.feed == nil
            ? ServerText.load(order, view: slot.id) : ServerText.loadingBegan(order, view: slot.id)
    }

    /// Requests a page for a view from the broker. For a refresh at depth (docs/protocol.md,
    /// "Refresh at depth"), requests a series of pages.
    func requestPage(from feed: FeedUse, for order: LoadOrder, of view: ViewID, at now: Instant) {
        services.onGrowth?(Self.grownBytesPerLoad, key, now)
        let engine = viewIndex(view).map { views[$0].engine }
        let paging = engine?.paging
        let isFirst = order.kind == .refresh || paging?.hasPage == false
        // A page that was requested before a change may lack what operations have changed, and then
        // not follow the list. Only a view with live items has a verification.
        let keptPages: KeptPages =
            if isFirst {
                order.cause.keptPages(hasFeatures: inbound.features != nil)
            } else {
                feed.verification == nil ? .any : .fresh
            }
        // A page that is requested again needs a new answer, and therefore another key.
        let repeats = engine?.repeatCount(of: order.id) ?? 0
        let load = "\(name)-\(order.id)" + (repeats > 0 ? "-\(repeats)" : "")
        let request = LoadRequest(
            feed: feed.name, kind: order.kind, trigger: order.trigger, page: order.page,
            offset: order.offset, size: order.size, cursor: order.cursor,
            parameters: feed.parameters, headers: feed.headers, subject: principal.subject)
        services.loads.start(
            LoadTicket(session: key, view: view, load: order.id),
            BrokerRequest(
                request,
                idempotencyKey: order.isAtDepth
                    ? load : IdempotencyKey.text(load: load, of: request),
                keptPages: repeats > 0 ? .fresh : keptPages,
                isLookUp: order.source == .lookUp,
                series: order.isAtDepth
                    ? PageSeries(
                        count: order.pages, skipped: order.skipped,
                        style: paging?.options.style ?? .page) : nil),
            // A client may request a deadline that is shorter than the daemon's, but not a longer
            // one.
            deadlineMs: min(order.deadlineMs, services.limits.loadDeadlineMs))
    }

    mutating func endLoad(
        _ load: LoadID, _ kind: LoadKind, _ result: LoadResult, ofViewAt index: Int,
        because source: EventSource, at now: Instant
    ) {
        outbox.removeProgress(of: load)
        if kind == .refresh { recordRefreshEnd(ofViewAt: index, result, at: now) }
        let (outcome, deduplicated) = (source.outcome(of: load), source.page(of: load))
        defer {
            if kind == .refresh { resolveOperations(ofViewAt: index, after: load, result, at: now) }
        }
        enqueueUpdate(ofViewAt: index)
        if let deduplicated, result.isAccepted {
            let forgotten = views[index].feed?.shownItems.record(
                deduplicated, of: kind, most: services.limits.itemKeysPerViewMax)
            services.metrics.recordForgottenItemKeys(forgotten ?? 0)
        }
        if result.isAccepted {
            let style = views[index].engine.paging.options.style
            let isFurther = kind == .more || isSeries(outcome)
            let isNumbered = isFurther && (style == .page || style == .offset)
            updateVerification(ofViewAt: index) { $0.recordPage(isNumbered: isNumbered, at: now) }
        }
        let view = views[index].id
        recordLoadEnd(of: load, kind, result, for: views[index], at: now)
        if views[index].feed != nil, outcome == nil {
            services.loads.cancel(
                ticket(for: load, of: views[index]),
                because: result == .timedOut ? .outOfTime : .unwanted)
        }
        // The message depends on the engine's result, which may differ from the broker's outcome.
        switch (result, outcome) {
        case (.success, .page(let page)), (.empty, .page(let page)), (.noMore, .page(let page)):
            if kind == .more { addPage(page, deduplicated, toOperationsOfViewAt: index, at: now) }
            let head = ServerText.itemsHead(
                load, kind, page, removed: deduplicated?.removed ?? 0,
                pages: inbound.features == nil ? nil : page.parts?.pages, of: views[index])
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

    /// Whether the outcome has several pages. Each of them is the answer to a call of its own, so
    /// the list can have changed between them.
    private func isSeries(_ outcome: LoadOutcome?) -> Bool {
        guard case .page(let page) = outcome else { return false }
        return page.parts?.pages ?? 1 > 1
    }

    func ticket(for load: LoadID, of slot: ViewSlot) -> LoadTicket {
        LoadTicket(session: key, view: slot.id, load: load)
    }

    // MARK: Events of the broker

    mutating func handleLoadEvent(_ load: LoadID, _ event: LoadEvent, at now: Instant) {
        switch event {
        case .ended(let outcome): handleLoadEnd(load, outcome, at: now)
        case .lookUpEnded(let found): handleLookUpEnd(load, found, at: now)
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
        if case .page(let page) = outcome, let kind = views[index].engine.kind(ofRunning: load) {
            deduplicated = self.deduplicated(page, of: kind, forViewAt: index)
        }
        applyEvent(
            .loadEnded(load, LoadEnding(outcome, removed: deduplicated?.removed ?? 0)),
            toViewAt: index, because: .broker(load, outcome, deduplicated), at: now)
        considerOperations(ofViewAt: index, at: now)
    }

    /// Returns the page without the items that the view has already shown; nil if its items have no
    /// keys.
    func deduplicated(
        _ page: Page, of kind: LoadKind, forViewAt index: Int
    ) -> DeduplicatedPage? {
        // With random access, each item has its row, so no item is left out.
        let hasRows = page.total != nil && views[index].engine.hasRandomAccess
        guard page.itemKeys != nil, !hasRows, let feed = views[index].feed else { return nil }
        return feed.shownItems.deduplicated(page, of: kind) {
            services.feed(named: feed.name)?.itemKey
        }
    }

    /// Records that the list of a view has ended because its cursor does not advance. If the view
    /// has a feed, this is also logged for the operator. A client that is its own backend must
    /// handle such a cursor itself.
    func recordStall(ofViewAt index: Int, at now: Instant) {
        services.metrics.loads.recordStalledCursor()
        guard let feed = views[index].feed, services.recordStall(at: now) else { return }
        services.onStalledCursor?(feed.name, name)
    }
}

extension Cause {
    /// The cached pages that a load of the first page accepts in place of a new answer. They depend
    /// on the cause of the load. A client with features may already show the cached page because of
    /// an earlier load with the cause `initial`. For this client, a load with the cause `stale`
    /// requests a new page.
    func keptPages(hasFeatures: Bool) -> KeptPages {
        switch self {
        case .finger, .wheel, .key, .accessibility, .code, .retry: .none
        case .changed, .poll, .query: .fresh
        case .stale: hasFeatures ? .none : .any
        case .fill, .visual, .initial: .any
        }
    }
}
