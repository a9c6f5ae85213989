import RefreshProtocol

/// The load-more edge: applies facts (`LoadMoreFact`) to its phase, and performs the resulting
/// actions.
extension Engine {
    /// Handles an explicit load-more request. A pull does not prevent the request. A refresh
    /// prevents it if the option `whileRefreshing` requires this.
    mutating func handleLoadMoreRequest(
        _ cause: Cause, at now: Instant, into effects: inout [Effect]
    ) {
        guard let options = options.loadMore else { return effects.append(.refuse(.missingEdge)) }
        if let intent = cause.intent(isFingerDown: true) {
            guard options.intents.allows(Intents(intent)) else {
                return effects.append(.ignore(.intentLeftOut))
            }
        }
        let (before, count) = (loadMore.phase, effects.count)
        // A load that runs or waits keeps the `cause` and `isQueuedByGesture` of its own request.
        if !loadMore.isBusy {
            loadMore.request.cause = cause
            loadMore.request.isQueuedByGesture = false
        }
        applyToLoadMore(
            .requested(loadMoreStart, waits: self.options.isClientBacked && cause != .retry),
            at: now,
            into: &effects)
        if loadMore.phase == before, effects.count == count {
            effects.append(.ignore(loadMoreIgnoredReason))
        }
    }

    /// The reason why a load-more request has no effect now.
    private var loadMoreIgnoredReason: DiagnosticCode {
        if loadMore.isBusy { return .alreadyLoading }
        if loadMore.phase == .disabled { return .edgeDisabled }
        return loadMore.phase != .noMore && isRefreshLoading ? .otherEdgeLoading : .nothingToLoad
    }

    /// Whether, and when, a page that is requested now may be loaded.
    var loadMoreStart: LoadStart {
        guard isRefreshLoading else { return .now(nextLoad) }
        switch options.loadMore?.whileRefreshing {
        case .concurrent: return .now(nextLoad)
        case .cancel: return refreshLoad == nil ? .never : .now(nextLoad)
        case .queue: return .later
        case .reject, nil: return .never
        }
    }

    /// Whether a refresh load runs or is just ending. The list can come to rest after the load has
    /// ended, but before the end is reported.
    private var isRefreshLoading: Bool {
        refreshLoad != nil
            || deadlines.refreshLoad != .never && !refresh.background.contains(.isPollScheduled)
    }

    @inline(__always)
    mutating func applyToLoadMore(
        _ fact: LoadMoreFact, at now: Instant, into effects: inout [Effect]
    ) {
        let transition = loadMore.phase.transition(for: fact)
        loadMore.phase = transition.phase
        guard transition.action != .nothing else { return }
        perform(transition.action, at: now, into: &effects)
    }

    private mutating func perform(
        _ action: LoadMoreAction, at now: Instant, into effects: inout [Effect]
    ) {
        switch action {
        case .nothing: break
        case .show: showLoadMore(into: &effects)
        case .arm:
            effects.append(
                .showEdge(.loadMore, .approaching, progress: 1, cause: nil, result: nil))
            showLoadMore(into: &effects)
            play(.selection, into: &effects)
        case .disarm:
            play(.selection, into: &effects)
            showLoadMore(into: &effects)
        case .fire(let load):
            recordFiring(.more, into: &effects)
            startLoadMore(load, trigger: .reachAtEnd, at: now, into: &effects)
        case .queue:
            recordFiring(.more, into: &effects)
            loadMore.hasRequested = true
            loadMore.request.isQueuedByGesture = true
            showLoadMore(cause: loadMore.request.cause, into: &effects)
        case .begin(let load):
            startLoadMore(
                load, trigger: isLoadMoreRequestedByPosition ? .reachAtEnd : .manual, at: now,
                into: &effects)
        case .beginHidden(let load):
            showLoadMore(cause: loadMore.request.cause, into: &effects)
            startLoadMore(load, trigger: .manual, at: now, into: &effects)
        case .reveal: revealLoadMore(at: now, into: &effects)
        case .finish(let load, let result): finishLoadMore(load, result, at: now, into: &effects)
        case .reportLateAnswer(let load): effects.append(.reportLateAnswer(load))
        }
    }

    /// Whether the list's position requested the load, by a gesture whose request waited, or
    /// because the content is short.
    private var isLoadMoreRequestedByPosition: Bool {
        loadMore.request.cause == .fill || loadMore.request.isQueuedByGesture
    }

    mutating func showLoadMore(
        cause: Cause? = nil, result: LoadResult? = nil, into effects: inout [Effect]
    ) {
        effects.append(
            .showEdge(
                .loadMore, loadMore.phase.state, progress: loadMore.phase.progress,
                cause: cause ?? (loadMore.phase == .waiting ? loadMore.request.cause : nil),
                result: result))
    }

    private mutating func startLoadMore(
        _ load: LoadID, trigger: LoadTrigger, at now: Instant, into effects: inout [Effect]
    ) {
        if options.loadMore?.whileRefreshing == .cancel {
            cancelRefreshLoad(at: now, into: &effects)
        }
        loadMore.request.isQueuedByGesture = false
        loadMore.hasRequested = true
        if loadMore.request.cause != .fill { loadMore.filledPages = 0 }
        loadMore.isSuperseded = false
        loadMore.request.isRenewed = false
        loadMore.isLaidOutEarly = false
        loadMore.isShifted = false
        loadMore.repeatCount = 0
        if loadMore.phase == .loading(load) { revealLoadMore(at: now, into: &effects) }
        announce(.loadingMore, into: &effects)
        startLoad(load, .more, trigger: trigger, at: now, into: &effects)
    }

    private mutating func revealLoadMore(at now: Instant, into effects: inout [Effect]) {
        showLoadMore(cause: loadMore.request.cause, into: &effects)
        guard let options = options.loadMore, options.holdsInset else { return }
        insets.loadMore = options.length
        sendInsets(duration: options.insetDuration, at: now, into: &effects)
    }

    private mutating func finishLoadMore(
        _ load: LoadID, _ result: LoadResult, at now: Instant, into effects: inout [Effect]
    ) {
        deadlines.loadMoreWait = .never
        recordRevealLoad(.more, result)
        insets.loadMore = 0
        sendInsets(duration: options.loadMore?.insetDuration, at: now, into: &effects)
        showLoadMore(result: result, into: &effects)
        if loadMore.request.recordEnd(result) { startBackOff(at: now) }
        if result.isAccepted {
            scrollSpeed.recordLatency(now.milliseconds(since: loadMore.startedAt))
        }
        if !loadMore.isPageLanding { returnToRange(at: now, into: &effects) }
        effects.append(.endLoad(load, .more, result))
        if let cue = spokenCue(moreEndedWith: result) { announce(cue, into: &effects) }
        if loadMore.isSuperseded {
            loadMore.isSuperseded = false
            applyToLoadMore(.contentReplaced(hasMore: paging.hasMore), at: now, into: &effects)
        }
        resumeRefresh(at: now, into: &effects)
    }

    /// Begins a time in which gestures do not request a page. The time doubles with each failure,
    /// up to `backOffMax` (B-IQ-16).
    private mutating func startBackOff(at now: Instant) {
        guard let options = options.loadMore, options.backOff > 0 else { return }
        let doublings = min(max(UInt64(loadMore.request.attempt), 1) - 1, 20)
        let time = min(UInt64(options.backOff) << doublings, UInt64(options.backOffMax))
        loadMore.backOffEnd = now.advanced(byMilliseconds: UInt32(clamping: time))
    }

    private func spokenCue(moreEndedWith result: LoadResult) -> SpokenCue? {
        switch result {
        case .success, .empty, .noMore: loadMore.phase == .noMore ? .noMore : .loadedMore
        case .failed, .timedOut: .loadMoreFailed
        case .cancelled, .refused: nil
        }
    }

    /// Resumes the load that waited for the end of a refresh.
    mutating func resumeLoadMore(at now: Instant, into effects: inout [Effect]) {
        guard loadMore.phase == .waiting, refreshLoad == nil, refresh.awaited == .none else {
            return
        }
        applyToLoadMore(
            .resumed(
                nextLoad, waits: options.isClientBacked && !loadMore.request.isQueuedByGesture),
            at: now, into: &effects)
    }

    /// Requests the next page automatically when new content does not fill the viewport, up to a
    /// limited number of pages. If the content has no length, it has usually not been laid out, and
    /// nothing is requested. `isEmptied` states whether deleted rows have made the content too
    /// short. If they have, the next page is requested even if the content has no length.
    mutating func fillViewport(
        isEmptied: Bool = false, at now: Instant, into effects: inout [Effect]
    ) {
        guard loadMore.mayFill, let options = options.loadMore, geometry.isMeasured,
            geometry.contentLength > 0 || (isEmptied && paging.hasPage)
        else { return }
        guard geometry.isContentShort, loadMore.filledPages < options.fillPagesMax else {
            loadMore.mayFill = false
            return
        }
        // If the refresh is in `lingering`, its load has already ended.
        if case .lingering = refresh.phase {} else if refresh.phase.isActive { return }
        guard silentLoad == nil, loadMore.phase.acceptsRequests, paging.hasMore else { return }
        guard now >= loadMore.layoutEnd else { return deferRequestUntilLayout(.fill) }
        loadMore.filledPages &+= 1
        loadMore.request.cause = .fill
        applyToLoadMore(.requested(loadMoreStart, waits: false), at: now, into: &effects)
    }
}
