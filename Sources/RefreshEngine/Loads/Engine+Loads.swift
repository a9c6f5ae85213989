import RefreshProtocol

/// Loads in flight: beginning, end and retry.
extension Engine {
    mutating func handleLoadStart(
        _ load: LoadID, accepted: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        switch load {
        case refresh.load:
            applyToRefresh(
                accepted
                    ? .loadBegan(load)
                    : .loadRefused(load, completionDisplay(of: .refused, at: now)),
                animated: !accepted || refresh.animates, at: now, into: &effects)
            if !accepted { resumeLoadMore(at: now, into: &effects) }
        case silentLoad:
            guard !accepted else { return }
            endSilentRefresh(.refused, at: now, into: &effects)
            resumeLoadMore(at: now, into: &effects)
        case loadMore.load:
            applyToLoadMore(
                accepted ? .loadBegan(load) : .loadRefused(load), at: now, into: &effects)
        default: effects.append(.reportLateAnswer(load))
        }
    }

    /// Handles the end of a load. The load can end at any moment: at the instant of its start,
    /// before it was shown, or under a finger (B-MR-2, O-IQ-10). If a finger rests
    /// on the list, the list is evaluated at the finger's next sample, as in the iOS libraries that
    /// the profiles reproduce. Short content is evaluated when the client next reports its
    /// geometry.
    mutating func handleLoadEnd(
        _ load: LoadID, _ ending: LoadEnding, at now: Instant, into effects: inout [Effect]
    ) {
        switch load {
        case refresh.load: handleRefreshEnd(load, ending, at: now, into: &effects)
        case silentLoad: handleSilentRefreshEnd(ending, at: now, into: &effects)
        case loadMore.load: handleLoadMoreEnd(load, ending, at: now, into: &effects)
        default:
            if handlePageEnd(load, ending, at: now, into: &effects) { return }
            effects.append(.reportLateAnswer(load))
        }
    }

    private mutating func handleRefreshEnd(
        _ load: LoadID, _ ending: LoadEnding, at now: Instant, into effects: inout [Effect]
    ) {
        if ending.result.isAccepted {
            acceptRefresh(ending)
        }
        applyToRefresh(
            .loadEnded(load, ending.result, completionDisplay(of: ending.result, at: now)), at: now,
            into: &effects)
        if ending.result.isAccepted { handleListReplacement(at: now, into: &effects) }
        resumeLoadMore(at: now, into: &effects)
    }

    /// Handles the replacement of the list by a refresh.
    mutating func handleListReplacement(at now: Instant, into effects: inout [Effect]) {
        handleNewContent(waitEnd: now, at: now, into: &effects)
        if inSightBox != nil { handleRowsReplacement(at: now, into: &effects) }
        loadMore.isSuperseded = loadMore.load != nil
        applyToLoadMore(.contentReplaced(hasMore: paging.hasMore), at: now, into: &effects)
    }

    private mutating func handleLoadMoreEnd(
        _ load: LoadID, _ ending: LoadEnding, at now: Instant, into effects: inout [Effect]
    ) {
        // The list to which this page belongs was replaced (B-IQ-12, O-IQ-4).
        let result = loadMore.isSuperseded ? .cancelled : ending.result
        if result.isAccepted, repeatsLoad(load, at: now, into: &effects) { return }
        if result.isAccepted {
            paging.accept(ending, of: .more, requestedCount: paging.options.size)
            let isAllKnown = ending.count > 0 && ending.kept == 0
            loadMore.isPageLanding = !isAllKnown && (result == .success || ending.count > 0)
            loadMore.isRoomLanding = loadMore.isPageLanding && insets.sentEnd > 0
            adaptMotion(at: now, into: &effects)
        }
        applyToLoadMore(
            .loadEnded(load, result, hasMore: paging.hasMore), at: now, into: &effects)
        guard result.isAccepted else { return }
        // The wait also applies to a page without new items. Without the wait, a wheel would
        // request a page with each sample.
        let waitEnd =
            loadMore.isLaidOutEarly ? now : now.advanced(byMilliseconds: options.layoutWait)
        handleNewContent(waitEnd: waitEnd, at: now, into: &effects)
        if paging.isStalled { effects.append(.reportStall) }
    }

    /// Handles new content. `waitEnd` is the time until which gestures wait for the client to lay
    /// it out.
    private mutating func handleNewContent(
        waitEnd: Instant, at now: Instant, into effects: inout [Effect]
    ) {
        loadMore.hasRequested = false
        loadMore.backOffEnd = .origin
        endLayoutWait()
        if waitEnd > now { loadMore.layoutEnd = waitEnd }
        loadMore.request.isRenewed = options.loadMore?.rearm == .gesture
        loadMore.mayFill = paging.hasMore
        // If the edge has `rearm` `gesture`, wheel input becomes a new intent only when the page is
        // laid out.
        if options.loadMore?.rearm == .content || waitEnd <= now { gesture.handleNewContent() }
        effects.append(.showList(count: paging.itemCount, hasMore: paging.hasMore))
    }

    mutating func handleRetryRequest(
        _ role: EdgeRole?, at now: Instant, into effects: inout [Effect]
    ) {
        let isMoreFailed = loadMore.phase == .failed
        guard hasEdge(role) else { return effects.append(.refuse(.missingEdge)) }
        switch role ?? (isMoreFailed ? .loadMore : .refresh) {
        case .loadMore where isMoreFailed && loadMoreStart != .never:
            handleLoadMoreRequest(.retry, at: now, into: &effects)
        case .refresh where role == nil && canLoadMoreRetryFirstPage:
            handleLoadMoreRequest(.retry, at: now, into: &effects)
        case .refresh where refresh.hasFailed && refresh.load == nil && refresh.phase != .disabled:
            handleRefreshRequest(.retry, animated: true, at: now, into: &effects)
        case .refresh, .loadMore: effects.append(.refuse(.nothingToRetry))
        }
    }

    /// Whether the load-more edge can retry the first page. This is the case if the refresh for
    /// that page has failed, and the refresh edge cannot retry it.
    private var canLoadMoreRetryFirstPage: Bool {
        guard refresh.hasFailed, refreshLoad == nil, !paging.hasPage,
            loadMore.phase.acceptsRequests,
            loadMoreStart != .never
        else { return false }
        return refresh.phase == .disabled || options.refresh?.intents.allows(.retry) != true
    }

    mutating func handleCancelRequest(
        _ role: EdgeRole?, at now: Instant, into effects: inout [Effect]
    ) {
        guard hasEdge(role) else { return effects.append(.refuse(.missingEdge)) }
        if role != .loadMore { cancelRefresh(at: now, into: &effects) }
        if role != .refresh {
            cancelDeferredRequest()
            applyToLoadMore(.loadCancelled, at: now, into: &effects)
            cancelPagesInSight(at: now, into: &effects)
        }
        resumeLoadMore(at: now, into: &effects)
    }

    /// Cancels the refresh that runs or waits.
    mutating func cancelRefresh(at now: Instant, into effects: inout [Effect]) {
        let wasAwaiting = refresh.awaited != .none
        stopAwaiting()
        if refresh.phase == .waiting { applyToRefresh(.hidden(.rest), at: now, into: &effects) }
        cancelRefreshLoad(at: now, into: &effects)
        if wasAwaiting { schedulePoll(at: now) }
    }

    /// Cancels the running refresh load, if there is one.
    mutating func cancelRefreshLoad(at now: Instant, into effects: inout [Effect]) {
        if silentLoad != nil { endSilentRefresh(.cancelled, at: now, into: &effects) }
        guard let load = refresh.load else { return }
        applyToRefresh(
            .loadEnded(load, .cancelled, completionDisplay(of: .cancelled, at: now)), at: now,
            into: &effects)
    }

    /// Whether a request by code for the first page would be accepted after a reset: a refresh or,
    /// without an enabled refresh edge, a load-more.
    package var acceptsReload: Bool {
        // The getter is `mutating` only so that the engine is read in place. The options are large,
        // so none are copied.
        mutating get {
            if refresh.phase != .disabled, let intents = options.refresh?.intents {
                return intents.allows(.code)
            }
            guard loadMore.phase != .disabled, let intents = options.loadMore?.intents else {
                return false
            }
            return intents.allows(.code)
        }
    }

    /// Discards the loaded pages and their results, and cancels running loads. The next request is
    /// for the first page again. A load-more edge without more pages may then request again.
    mutating func handleResetRequest(
        _ role: EdgeRole?, at now: Instant, into effects: inout [Effect]
    ) {
        guard hasEdge(role) else { return effects.append(.refuse(.missingEdge)) }
        if role != .loadMore {
            // The change of the feed that the refresh would have delivered is forgotten, and the
            // client is not notified of it.
            changes.recordRefreshEnd()
            cancelRefresh(at: now, into: &effects)
            refresh.hasFailed = false
            refresh.request.attempt = 0
            refresh.lastUpdated = nil
            discardChanges(into: &effects)
            schedulePoll(at: now)
            if role != nil {
                effects.append(.showList(count: paging.itemCount, hasMore: paging.hasMore))
            }
        }
        if role != .refresh { discardPages(options.paging, at: now, into: &effects) }
        resumeLoadMore(at: now, into: &effects)
    }

    /// `isShown`: whether an effect reports to the client that the list is empty.
    mutating func discardPages(
        _ options: PagingOptions, isShown: Bool = true, at now: Instant,
        into effects: inout [Effect]
    ) {
        // The pages are discarded first, because a refresh that waits for the load-more begins when
        // the load-more is cancelled.
        paging = Paging(options)
        hold(0, into: &effects)
        endReveal(.cancelled, into: &effects)
        applyToLoadMore(.loadCancelled, at: now, into: &effects)
        loadMore.backOffEnd = .origin
        endLayoutWait()
        loadMore.request.attempt = 0
        loadMore.hasRequested = false
        loadMore.mayFill = false
        loadMore.filledPages = 0
        // The current movement was meant for the old list.
        if gesture.isOpen { gesture.markFired(.loadMore) }
        if isShown { effects.append(.showList(count: 0, hasMore: paging.hasMore)) }
        applyToLoadMore(.contentReplaced(hasMore: paging.hasMore), at: now, into: &effects)
        discardRows(options, at: now, into: &effects)
    }

    /// Whether the view has the edge `role`; true for nil.
    func hasEdge(_ role: EdgeRole?) -> Bool { role.map { options.hasEdge($0) } ?? true }

    mutating func handleDeadlines(at now: Instant, into effects: inout [Effect]) {
        if deadlines.gesture <= now { handleGestureTimeout(at: now, into: &effects) }
        if deadlines.settle <= now { handleFlightDeadline(at: now, into: &effects) }
        if deadlines.refreshLoad <= now {
            if let load = refreshLoad {
                handleLoadEnd(load, LoadEnding(.timedOut), at: now, into: &effects)
            } else if refresh.awaited != .none {
                handleAwaitedPageDue(at: now, into: &effects)
            } else {
                handlePollTime(at: now)
            }
        }
        if deadlines.loadMoreWait <= now {
            if let load = loadMore.load {
                handleLoadMoreEnd(load, LoadEnding(.timedOut), at: now, into: &effects)
            } else if hasRandomAccess {
                handleInSightDeadline(at: now, into: &effects)
            } else {
                handleLayoutTimeout(at: now, into: &effects)
            }
        }
        // A phase that takes no time can begin and end at the same instant.
        while deadlines.floor <= now { handleFloorDeadline(at: now, into: &effects) }
        while deadlines.completionDisplay <= now || deadlines.settle <= now {
            if deadlines.settle <= now {
                handleFlightDeadline(at: now, into: &effects)
            } else {
                advanceCompletionDisplay(at: now, into: &effects)
            }
        }
    }

    private mutating func handleGestureTimeout(at now: Instant, into effects: inout [Effect]) {
        guard gesture.isFingerDown else { return handleRest(at: now, into: &effects) }
        let isPanned = dragAnchor != nil
        cancelGesture(at: now, into: &effects)
        if isPanned {
            finishDrag(velocity: 0, at: now, into: &effects)
        } else {
            handleRest(at: now, into: &effects)
        }
    }

    mutating func handleDetach(at now: Instant, into effects: inout [Effect]) {
        deadlines = Deadlines()
        motion = nil
        for order in loadsInFlight {
            effects.append(.endLoad(order.id, order.kind, .cancelled))
        }
        changes = Changes()
        unread = nil
        inSightBox = nil
        refresh.background = []
        stopAwaiting()
        refresh.phase = .disabled
        loadMore.phase = .disabled
    }
}
