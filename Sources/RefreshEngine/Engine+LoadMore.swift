import RefreshProtocol

/// The load-more edge: applies facts to its phase and performs the resulting actions.
extension Engine {
    /// Handles an explicit load-more request. A pull does not prevent it; a refresh does according
    /// to the policy (rule 7).
    mutating func moreAsked(_ cause: Cause, at now: Instant, into effects: inout [Effect]) {
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
        applyToMore(
            .asked(moreStart, waits: self.options.isClientBacked && cause != .retry), at: now,
            into: &effects)
        if loadMore == before, effects.count == count {
            effects.append(.ignore(whyMoreIsIgnored))
        }
    }

    /// Why a load-more request has no effect now.
    private var whyMoreIsIgnored: DiagnosticCode {
        if loadMore == .waiting || loadMore.load != nil { return .alreadyLoading }
        if loadMore == .disabled { return .edgeDisabled }
        return loadMore != .noMore && isRefreshLoading ? .otherEdgeLoading : .nothingToLoad
    }

    /// Whether a load-more that is requested now may load.
    var moreStart: LoadStart {
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
    mutating func applyToMore(
        _ fact: LoadMoreFact, at now: Instant, into effects: inout [Effect]
    ) {
        let transition = loadMore.handling(fact)
        loadMore = transition.phase
        guard transition.deed != .nothing else { return }
        perform(transition.deed, at: now, into: &effects)
    }

    private mutating func perform(
        _ deed: LoadMoreDeed, at now: Instant, into effects: inout [Effect]
    ) {
        switch deed {
        case .nothing: break
        case .show: showMore(into: &effects)
        case .arm:
            effects.append(
                .showEdge(.loadMore, .approaching, progress: 1, cause: nil, result: nil))
            showMore(into: &effects)
            play(.selection, into: &effects)
        case .disarm:
            play(.selection, into: &effects)
            showMore(into: &effects)
        case .fire(let load):
            gesture.fire(.loadMore)
            isMoreRenewed = false
            play(.impact, into: &effects)
            startMore(load, trigger: .reachAtEnd, at: now, into: &effects)
        case .queue:
            gesture.fire(.loadMore)
            isMoreRenewed = false
            play(.impact, into: &effects)
            hasAskedForMore = true
            isMoreQueuedByGesture = true
            showMore(cause: moreCause, into: &effects)
        case .begin(let load):
            startMore(
                load, trigger: isMoreAskedByPlace ? .reachAtEnd : .manual, at: now,
                into: &effects)
        case .ask(let load):
            showMore(cause: moreCause, into: &effects)
            startMore(load, trigger: .manual, at: now, into: &effects)
        case .reveal: revealMore(at: now, into: &effects)
        case .finish(let load, let result): finishMore(load, result, at: now, into: &effects)
        case .dropLateAnswer(let load): effects.append(.dropLateAnswer(load))
        }
    }

    /// Whether the list's position requested the load: by a gesture that waited, or because the
    /// content is short.
    private var isMoreAskedByPlace: Bool { moreCause == .fill || isMoreQueuedByGesture }

    mutating func showMore(
        cause: Cause? = nil, result: LoadResult? = nil, into effects: inout [Effect]
    ) {
        effects.append(
            .showEdge(
                .loadMore, loadMore.state, progress: loadMore.progress,
                cause: cause ?? (loadMore == .waiting ? moreCause : nil), result: result))
    }

    private mutating func startMore(
        _ load: LoadID, trigger: LoadTrigger, at now: Instant, into effects: inout [Effect]
    ) {
        if options.loadMore?.whileRefreshing == .cancel {
            endRefreshEarly(at: now, into: &effects)
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
        if loadMore == .loading(load) { revealMore(at: now, into: &effects) }
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

    private mutating func revealMore(at now: Instant, into effects: inout [Effect]) {
        showMore(cause: moreCause, into: &effects)
        guard let options = options.loadMore, options.holdsInset else { return }
        insets.loadMore = options.length
        tellInsets(duration: options.insetDuration, at: now, into: &effects)
    }

    private mutating func finishMore(
        _ load: LoadID, _ result: LoadResult, at now: Instant, into effects: inout [Effect]
    ) {
        deadlines.moreLoad = .never
        insets.loadMore = 0
        tellInsets(duration: options.loadMore?.insetDuration, at: now, into: &effects)
        showMore(result: result, into: &effects)
        switch result {
        case .failed, .timedOut: backOff(at: now)
        case .success, .empty, .noMore:
            pace.note(latency: now.milliseconds(since: moreStartedAt))
            moreAttempt = 0
        case .cancelled, .refused: moreAttempt = 0
        }
        if !isPageLanding { stayInRange(at: now, into: &effects) }
        effects.append(.endLoad(load, .more, result))
        if let cue = spokenCue(moreEndedWith: result) { announce(cue, into: &effects) }
        if isMoreSuperseded {
            isMoreSuperseded = false
            applyToMore(.renewed(hasMore: paging.hasMore), at: now, into: &effects)
        }
        if refresh == .waiting {
            applyToRefresh(
                .resumed(nextLoad, waits: options.isClientBacked && !isQueuedByGesture),
                animated: refreshAnimates, at: now, into: &effects)
        }
    }

    /// Prevents gestures from requesting again for a time that doubles with each failure (B-IQ-16).
    private mutating func backOff(at now: Instant) {
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
    mutating func resumeMore(at now: Instant, into effects: inout [Effect]) {
        guard loadMore == .waiting, refreshLoad == nil else { return }
        applyToMore(
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
        guard silentLoad == nil, loadMore.isOpen, paging.hasMore else { return }
        guard now >= layoutEnd else { return waitForLayout(.fill) }
        filledPages &+= 1
        moreCause = .fill
        applyToMore(.asked(moreStart, waits: false), at: now, into: &effects)
    }
}
