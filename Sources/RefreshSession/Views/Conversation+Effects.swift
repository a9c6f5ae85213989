import RefreshBroker
import RefreshEngine
import RefreshIndicator
import RefreshProtocol

/// Carries out the effects of the engines.
extension Conversation {
    /// Passes the event to the view's engine and carries out its effects, for any kind of client.
    @inline(never)
    mutating func applyEvent(
        _ event: Event, toViewAt index: Int, because source: EventSource, at now: Instant
    ) {
        let wasQueued = views[index].isQueued
        applyEventWithoutPresentation(event, toViewAt: index, because: source, at: now)
        guard renderMode.hasPresentations else { return }
        let hasNews = views[index].updatePresentation(after: event, at: now)
        enqueueUpdate(ofViewAt: index)
        // If the engine has such an effect, the update was already counted.
        if hasNews, wasQueued, !effects.contains(where: \.isShown) {
            services.metrics.recordCoalescedUpdate()
        }
    }

    /// Passes the event to the view's engine and carries out its effects, without the presentation.
    /// For a `plain` client, this is all.
    @inline(__always)
    mutating func applyEventWithoutPresentation(
        _ event: Event, toViewAt index: Int, because source: EventSource, at now: Instant
    ) {
        while !effects.isEmpty { effects.removeLast() }
        let wasQueued = views[index].isQueued
        if views[index].hasCommands() {
            handleWithPendingCommands(event, ofViewAt: index, at: now)
        } else {
            views[index].engine.handle(event, at: now, into: &effects)
        }
        for position in effects.indices {
            switch effects[position] {
            case .showEdge(let role, let state, let progress, let cause, let result):
                let isOther = views[index].recordEdge(
                    role, state, progress: progress, cause: cause, result: result, at: now)
                if isOther { recordTransition(to: state, at: role, ofViewAt: index, cause: cause) }
            case .showFloor(let state, let progress):
                views[index].update.setFloor(state, progress: progress)
            case .showList(let count, let hasMore):
                showList(count: count, hasMore: hasMore, ofViewAt: index)
            case .showNewer(let hasNewer): views[index].update.setNewer(hasNewer)
            case .announce(let cue): views[index].update.append(cue)
            case .play(let haptic): views[index].update.append(haptic)
            case .setInset(let command): views[index].update.merge(command)
            case .moveContent(let command): views[index].update.offset = command
            case .startLoad(let order): startLoad(order, forViewAt: index, at: now)
            case .endLoad(let load, let kind, let result):
                endLoad(load, kind, result, ofViewAt: index, because: source, at: now)
            case .reportLateAnswer: reportLateAnswer(ofViewAt: index, because: source, at: now)
            case .reportStall: recordStall(ofViewAt: index, at: now)
            case .refuse(let code):
                report(Fault(code, seq: source.seq, view: views[index].id), at: now)
            case .ignore(let code):
                reportDiagnostic(Diagnostic(code, seq: source.seq, view: views[index].id), at: now)
            }
        }
        enqueueUpdate(ofViewAt: index)
        if wasQueued { recordCoalescedUpdate(ofViewAt: index) }
    }

    /// Handles an event while commands wait to be sent. If a finger touches the list with this
    /// event, the commands are withdrawn.
    private mutating func handleWithPendingCommands(
        _ event: Event, ofViewAt index: Int, at now: Instant
    ) {
        let wasFingerDown = views[index].engine.gesture.isFingerDown
        views[index].engine.handle(event, at: now, into: &effects)
        guard !wasFingerDown, views[index].engine.gesture.isFingerDown else { return }
        views[index].withdrawCommands()
    }

    private mutating func showList(count: Int, hasMore: Bool, ofViewAt index: Int) {
        if count == 0 { views[index].feed?.shownItems.removeAll() }
        // Only a reset leaves the list without a page. An empty page also sets the count to 0, but
        // it replaces the earlier pages at the client.
        if !views[index].engine.paging.hasPage {
            outbox.cancelPages(of: views[index].id, generation: views[index].generation)
        }
        views[index].update.setList(count: count, hasMore: hasMore)
        views[index].update.setLastUpdated(views[index].engine.refresh.lastUpdated)
    }

    private mutating func reportLateAnswer(
        ofViewAt index: Int, because source: EventSource, at now: Instant
    ) {
        // The broker's confirmation that a load was cancelled is not a late answer.
        if let outcome = source.outcome, !outcome.isAnswer { return }
        services.metrics.recordStaleLoad()
        guard let seq = source.seq else { return }
        report(Fault(.unknownLoad, field: .load, seq: seq, view: views[index].id), at: now)
    }

    private mutating func startLoad(
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
            // A client may request a shorter deadline than the daemon's, but not a longer one.
            deadlineMs: min(order.deadlineMs, services.limits.loadDeadlineMs))
    }

    private mutating func endLoad(
        _ load: LoadID, _ kind: LoadKind, _ result: LoadResult, ofViewAt index: Int,
        because source: EventSource, at now: Instant
    ) {
        outbox.removeProgress(of: load)
        enqueueUpdate(ofViewAt: index)
        if let cut = source.deduplicatedPage, result.isAccepted {
            let forgotten = views[index].feed?.shownItems.record(
                cut, of: kind, most: services.limits.itemKeysPerViewMax)
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
            let cut = source.deduplicatedPage
            let head = ServerText.itemsHead(
                load, kind, page, removed: cut?.removed ?? 0, of: views[index])
            outbox.append(.items(load, kind, head: head, page: page, cut: cut))
            // The page is copied into a frame, and the socket may not accept the frame at once.
            services.onGrowth?(
                2 * page.items.count + Self.grownBytesPerKey * (page.itemKeys?.hashes.count ?? 0),
                key, now)
        case (.failed, .failed(let failure)):
            outbox.append(.text(ServerText.loadingFailed(load, kind, failure, view: view)))
        case (.cancelled, let outcome), (.timedOut, let outcome):
            if let outcome, outcome.isAnswer { services.metrics.recordStaleLoad() }
            // A client that ended its own load needs no message.
            guard !source.isClientBackend else { return }
            outbox.append(.text(ServerText.loadingEnded(load, kind, result, view: view)))
        // These are loads of the client itself, which already has the result.
        case (.success, _), (.empty, _), (.noMore, _), (.failed, _), (.refused, _): break
        }
    }

    func ticket(for load: LoadID, of slot: ViewSlot) -> LoadTicket {
        LoadTicket(session: key, view: slot.id, load: load)
    }
}

extension Cause {
    /// The cached pages that a load of the first page with this cause accepts instead of a new
    /// answer.
    fileprivate var keptPages: KeptPages {
        switch self {
        case .finger, .wheel, .key, .accessibility, .code, .retry: .none
        case .changed: .fresh
        case .fill, .stale, .visual: .any
        }
    }
}
