import RefreshProtocol

/// The load-more edge: applies facts to its phase and performs the resulting actions.
extension Engine {
    /// Handles an explicit load-more request. A pull does not prevent it; a refresh does according
    /// to the policy (rule 7).
    mutating func handleLoadMoreRequest(
        _ cause: Cause, at now: Instant, into effects: inout [Effect]
    ) {
        guard let options = options.loadMore else { return effects.append(.refuse(.missingEdge)) }
        if let intent = cause.intent(isFingerDown: true) {
            guard options.intents.allows(Intents(intent)) else {
                return effects.append(.ignore(.intentLeftOut))
            }
        }
        let (before, count) = (loadMore, effects.count)
        // A waiting or running load keeps its own cause and its origin.
        if loadMore != .waiting, loadMore.load == nil {
            moreCause = cause
            isMoreQueuedByGesture = false
        }
        applyToLoadMore(
            .requested(loadMoreStart, waits: self.options.isClientBacked && cause != .retry),
            at: now,
            into: &effects)
        if loadMore == before, effects.count == count {
            effects.append(.ignore(loadMoreIgnoredReason))
        }
    }

    /// Why a load-more request has no effect now.
    private var loadMoreIgnoredReason: DiagnosticCode {
        if loadMore == .waiting || loadMore.load != nil { return .alreadyLoading }
        if loadMore == .disabled { return .edgeDisabled }
        return loadMore != .noMore && isRefreshLoading ? .otherEdgeLoading : .nothingToLoad
    }

    /// Whether a load-more that is requested now may load.
    var loadMoreStart: LoadStart {
        guard isRefreshLoading else { return .now(nextLoad) }
        switch options.loadMore?.whileRefreshing {
        case .concurrent: return .now(nextLoad)
        case .cancel: return refreshLoad == nil ? .never : .now(nextLoad)
        case .queue: return .later
        case .reject, nil: return .never
        }
    }

    /// Whether a refresh load runs or is just ending: the list may come to rest before the end is
    /// reported.
    private var isRefreshLoading: Bool { refreshLoad != nil || deadlines.refreshLoad != .never }

    @inline(__always)
    mutating func applyToLoadMore(
        _ fact: LoadMoreFact, at now: Instant, into effects: inout [Effect]
    ) {
        let transition = loadMore.transition(for: fact)
        loadMore = transition.phase
        guard transition.action != .nothing else { return }
        perform(transition.action, at: now, into: &effects)
    }

    private mutating func perform(
        _ deed: LoadMoreAction, at now: Instant, into effects: inout [Effect]
    ) {
        switch deed {
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
            gesture.markFired(.loadMore)
            isMoreRenewed = false
            play(.impact, into: &effects)
            startLoadMore(load, trigger: .reachAtEnd, at: now, into: &effects)
        case .queue:
            gesture.markFired(.loadMore)
            isMoreRenewed = false
            play(.impact, into: &effects)
            hasAskedForMore = true
            isMoreQueuedByGesture = true
            showLoadMore(cause: moreCause, into: &effects)
        case .begin(let load):
            startLoadMore(
                load, trigger: isLoadMoreRequestedByPosition ? .reachAtEnd : .manual, at: now,
                into: &effects)
        case .beginHidden(let load):
            showLoadMore(cause: moreCause, into: &effects)
            startLoadMore(load, trigger: .manual, at: now, into: &effects)
        case .reveal: revealLoadMore(at: now, into: &effects)
        case .finish(let load, let result): finishLoadMore(load, result, at: now, into: &effects)
        case .reportLateAnswer(let load): effects.append(.reportLateAnswer(load))
        }
    }

    /// Whether the list's position requested the load: by a gesture that waited, or because the
    /// content is short.
    private var isLoadMoreRequestedByPosition: Bool { moreCause == .fill || isMoreQueuedByGesture }

    mutating func showLoadMore(
        cause: Cause? = nil, result: LoadResult? = nil, into effects: inout [Effect]
    ) {
        effects.append(
            .showEdge(
                .loadMore, loadMore.state, progress: loadMore.progress,
                cause: cause ?? (loadMore == .waiting ? moreCause : nil), result: result))
    }

    private mutating func startLoadMore(
        _ load: LoadID, trigger: LoadTrigger, at now: Instant, into effects: inout [Effect]
    ) {
        if options.loadMore?.whileRefreshing == .cancel {
            cancelRefreshLoad(at: now, into: &effects)
        }
        isMoreQueuedByGesture = false
        lastLoadNumber = load.number
        moreTrigger = trigger
        hasAskedForMore = true
        mayFill = false
        if moreCause != .fill { filledPages = 0 }
        isMoreSuperseded = false
        isMoreRenewed = false
        isLaidOutEarly = false
        moreAttempt &+= 1
        moreStartedAt = now
        let deadline = options.deadline(of: .more)
        deadlines.moreLoad = now.advanced(byMilliseconds: deadline)
        if loadMore == .loading(load) { revealLoadMore(at: now, into: &effects) }
        announce(.loadingMore, into: &effects)
        let request = paging.request(for: .more)
        effects.append(
            .startLoad(
                LoadOrder(
                    id: load, kind: .more, trigger: trigger, cause: moreCause,
                    page: request.page, offset: request.offset, size: options.paging.size,
                    cursor: request.cursor, attempt: Int(moreAttempt),
                    deadlineMs: Int(deadline))))
    }

    private mutating func revealLoadMore(at now: Instant, into effects: inout [Effect]) {
        showLoadMore(cause: moreCause, into: &effects)
        guard let options = options.loadMore, options.holdsInset else { return }
        insets.loadMore = options.length
        sendInsets(duration: options.insetDuration, at: now, into: &effects)
    }

    private mutating func finishLoadMore(
        _ load: LoadID, _ result: LoadResult, at now: Instant, into effects: inout [Effect]
    ) {
        deadlines.moreLoad = .never
        insets.loadMore = 0
        sendInsets(duration: options.loadMore?.insetDuration, at: now, into: &effects)
        showLoadMore(result: result, into: &effects)
        switch result {
        case .failed, .timedOut: startBackOff(at: now)
        case .success, .empty, .noMore:
            pace.recordLatency(now.milliseconds(since: moreStartedAt))
            moreAttempt = 0
        case .cancelled, .refused: moreAttempt = 0
        }
        if !isPageLanding { returnToRange(at: now, into: &effects) }
        effects.append(.endLoad(load, .more, result))
        if let cue = spokenCue(moreEndedWith: result) { announce(cue, into: &effects) }
        if isMoreSuperseded {
            isMoreSuperseded = false
            applyToLoadMore(.contentReplaced(hasMore: paging.hasMore), at: now, into: &effects)
        }
        if refresh == .waiting {
            applyToRefresh(
                .resumed(nextLoad, waits: options.isClientBacked && !isQueuedByGesture),
                animated: refreshAnimates, at: now, into: &effects)
        }
    }

    /// Prevents gestures from requesting again for a time that doubles with each failure (B-IQ-16).
    private mutating func startBackOff(at now: Instant) {
        guard let options = options.loadMore, options.backOff > 0 else { return }
        let doublings = min(max(UInt64(moreAttempt), 1) - 1, 20)
        let time = min(UInt64(options.backOff) << doublings, UInt64(options.backOffMax))
        backOffEnd = now.advanced(byMilliseconds: UInt32(clamping: time))
    }

    private func spokenCue(moreEndedWith result: LoadResult) -> SpokenCue? {
        switch result {
        case .success, .empty, .noMore: loadMore == .noMore ? .noMore : .loadedMore
        case .failed, .timedOut: .loadMoreFailed
        case .cancelled, .refused: nil
        }
    }

    /// Resumes the load that waited for the end of a refresh.
    mutating func resumeLoadMore(at now: Instant, into effects: inout [Effect]) {
        guard loadMore == .waiting, refreshLoad == nil else { return }
        applyToLoadMore(
            .resumed(nextLoad, waits: options.isClientBacked && !isMoreQueuedByGesture), at: now,
            into: &effects)
    }

    /// Requests the next page automatically when new content does not fill the viewport, up to a
    /// limited number of pages. Content without a length has not been laid out, unless `isEmptied`:
    /// all its rows were deleted.
    mutating func fillViewport(
        isEmptied: Bool = false, at now: Instant, into effects: inout [Effect]
    ) {
        guard mayFill, let options = options.loadMore, geometry.isMeasured,
            geometry.contentLength > 0 || (isEmptied && paging.hasPage)
        else { return }
        guard geometry.isContentShort, filledPages < options.fillPagesMax else {
            mayFill = false
            return
        }
        // A lingering indicator has received its page.
        if case .lingering = refresh {} else if refresh.isActive { return }
        guard silentLoad == nil, loadMore.acceptsRequests, paging.hasMore else { return }
        guard now >= layoutEnd else { return deferRequestUntilLayout(.fill) }
        filledPages &+= 1
        moreCause = .fill
        applyToLoadMore(.requested(loadMoreStart, waits: false), at: now, into: &effects)
    }
}
