import RefreshProtocol

/// The position of the list relative to its end, and the decision to request the next page.
extension Engine {
    @inline(__always)
    mutating func evaluateApproach(
        isSample: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        switch loadMore.phase {
        case .disabled, .waiting, .triggered, .loading, .noMore: return
        case .idle:
            // While the list is pulled at the refresh edge, nothing is visible at the load-more
            // edge, and usually no state has to be recorded.
            if !loadMore.hasRequested, !loadMore.request.isRenewed, !isApproachVisible { return }
        case .approaching, .eligible, .failed: break
        }
        if isEndEvaluationSkipped { return }
        evaluateEnd(isSample: isSample, at: now, into: &effects)
    }

    /// Whether only the refresh edge is evaluated, and the load-more edge is not.
    var isEndEvaluationSkipped: Bool {
        options.attention == .movement && (refresh.phase.isVisible || isFirstPageByPull)
    }

    /// Whether the first page must come from a refresh, so that the load-more edge does not request
    /// it. This can be true only in a view with a feed and with a refresh edge that the user can
    /// pull. It is true before the first load, and while a refresh loads that page. If the option
    /// `attention` is `movement`, it is true until that page has been accepted, as in the iOS
    /// libraries that the profiles reproduce.
    var isFirstPageByPull: Bool {
        !options.isClientBacked && !paging.hasPage && options.refresh?.isForUsers == true
            && (lastLoadNumber == 0 || refreshLoad != nil || options.attention == .movement)
    }

    private mutating func evaluateEnd(
        isSample: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        guard let options = options.loadMore else { return }
        let threshold = preloadThreshold(options)
        let positionProgress = geometry.isMeasured ? approachProgress(to: threshold, options) : nil
        let isDue = isPreloadDue(options, threshold: threshold, positionProgress: positionProgress)
        // A fast list can request a page before it reaches the zone. Such a list is outside the
        // zone, but it has not turned back.
        let hasLeft = positionProgress == 0 && !gesture.movesTowardsEnd
        if hasLeft { loadMore.hasRequested = false }
        if !isDue, loadMore.request.isRenewed {
            loadMore.request.isRenewed = false
            gesture.hasFiredMore = false
        }
        // A failure is shown until the list leaves the zone. A movement with any cause can clear
        // the failure in this way, but a pull at the refresh edge cannot.
        if loadMore.phase == .failed, !hasLeft {
            guard options.asksAgain, positionProgress == 1, isApproachVisible else { return }
            return retryFailedPage(options, isSample: isSample, at: now, into: &effects)
        }
        var progress = isApproachVisible ? positionProgress ?? 0 : 0
        if progress == 0, loadMore.phase == .idle, !isDue { return }
        let approach = resolveApproach(options, isSample: isSample, at: now)
        if case .reaching(let start) = approach {
            loadMore.request.cause = gesture.cause
            // Below 1, the progress depends on the distance only, and not on the speed. Slowing
            // down therefore never reduces the progress.
            if isDue, start != .never { progress = 1 }
        }
        if progress == 0, loadMore.phase == .idle { return }
        applyToLoadMore(.approached(progress: progress, approach), at: now, into: &effects)
    }

    /// Handles a list at the threshold of a load-more edge whose last load failed. The page is
    /// requested again if the gesture meets all conditions for a request. The earlier request of
    /// this page does not prevent the new request.
    private mutating func retryFailedPage(
        _ options: LoadMoreOptions, isSample: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        let approach = resolveApproach(options, isSample: isSample, at: now)
        switch approach {
        case .showing, .reaching(.never): return
        case .reaching: loadMore.request.cause = gesture.cause
        case .arming: break
        }
        loadMore.hasRequested = false
        applyToLoadMore(.rearmed, at: now, into: &effects)
        applyToLoadMore(.approached(progress: 1, approach), at: now, into: &effects)
    }

    /// Whether the approach is visible. A pull or a refresh takes precedence over the approach. A
    /// list that is at rest, or that the program moves, does not count as approaching.
    private var isApproachVisible: Bool {
        !isLoadMoreBlocked && gesture.phase != .resting && !gesture.cause.isProgram
    }

    /// Whether a pull or a refresh prevents gestures from requesting more. With the option
    /// `whileRefreshing`, a request can wait for the refresh or cancel it. The refresh then does
    /// not prevent the request.
    var isLoadMoreBlocked: Bool {
        switch refresh.phase {
        case .disabled, .idle, .held, .finishing: return isLoadMoreBlockedBySilentRefresh
        case .pulling, .eligible: return true
        case .waiting, .triggered:
            return options.loadMore?.whileRefreshing ?? .reject == .reject
        case .refreshing, .lingering: return doesRefreshBlockLoadMore
        }
    }

    /// Whether an invisible refresh prevents gestures from requesting more.
    var isLoadMoreBlockedBySilentRefresh: Bool {
        changes.silentLoad != 0 && doesRefreshBlockLoadMore
    }

    /// Whether a running refresh prevents gestures from requesting more.
    private var doesRefreshBlockLoadMore: Bool {
        switch options.loadMore?.whileRefreshing {
        case .queue, .cancel: false
        case .reject, .concurrent, nil: true
        }
    }

    private mutating func resolveApproach(
        _ options: LoadMoreOptions, isSample: Bool, at now: Instant
    ) -> LoadMoreFact.Approach {
        guard mayRequestMore(at: now) else { return .showing }
        let approach = approach(options, isSample: isSample)
        guard approach != .showing, waitsForLayout(at: now) else { return approach }
        deferRequestUntilLayout(gesture.cause)
        return .showing
    }

    /// The kind of approach of a list that may request more (`mayRequestMore`) and whose content is
    /// laid out.
    private func approach(
        _ options: LoadMoreOptions, isSample: Bool
    ) -> LoadMoreFact.Approach {
        if gesture.isFingerDown {
            switch options.trigger {
            case .release: return .arming
            case .reach: return isSample ? .reaching(loadMoreStart) : .showing
            case .platform: return .showing
            }
        }
        // A fling that reaches the end is an intent to load (O-IQ-15). A bounce beyond the end is
        // not.
        return isSample && options.mode == .limit ? .reaching(loadMoreStart) : .showing
    }

    /// Whether the list may request more, apart from its position. A gesture must be open. It must
    /// have a permitted intent, and must not have fired the load-more edge already. With
    /// `needsApproach`, the gesture must move towards the end, unless the edge is `eligible`. With
    /// the value `content` of `rearm`, no page may have been requested for the current content. A
    /// failed page may be requested again if `asksAgain` is true. The time after a failure
    /// (`backOff`) must be over. Whether the content is laid out is tested in `waitsForLayout`.
    func mayRequestMore(at now: Instant) -> Bool {
        guard gesture.isOpen, !gesture.hasFiredMore, !isLoadMoreBlocked, !isFirstPageByPull,
            let options = options.loadMore, now >= loadMore.backOffEnd
        else { return false }
        let requestsAgain = loadMore.phase == .failed && options.asksAgain
        if options.rearm == .content, loadMore.hasRequested, !requestsAgain { return false }
        if options.needsApproach, !gesture.movesTowardsEnd, loadMore.phase != .eligible {
            return false
        }
        let intent = gesture.cause.intent(isFingerDown: gesture.isFingerDown)
        guard let intent, options.intents.allows(Intents(intent)) else { return false }
        // If the threshold does not lie past the resting offset, a list at its start is already at
        // the threshold. Only a movement past the resting offset is then an intent (O-IQ-11).
        return offset > geometry.restingOffset
            || preloadThreshold(options) > geometry.restingOffset
    }
}
