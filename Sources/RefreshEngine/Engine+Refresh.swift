import RefreshProtocol

/// The refresh edge: applies facts (`RefreshFact`) to its phase, and performs the resulting
/// actions.
extension Engine {
    mutating func handleRefreshRequest(
        _ cause: Cause, animated: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        guard let options = options.refresh else { return effects.append(.refuse(.missingEdge)) }
        let intent = cause.intent(isFingerDown: true)
        guard !refresh.isBusy else {
            if intent != nil { repeatRefresh(cause, at: now, into: &effects) }
            return
        }
        if let refusal = refusal(of: cause, options, at: now) {
            return effects.append(.ignore(refusal))
        }
        let before = refresh.phase
        refresh.request.cause = cause
        refresh.animates = animated
        refresh.request.isQueuedByGesture = false
        applyToRefresh(
            .requested(
                refreshStart,
                waits: self.options.isClientBacked
                    && (silentLoad == nil || options.repetition == .newest)),
            animated: animated, at: now, into: &effects)
        if intent != nil, refresh.phase == before {
            effects.append(.ignore(refresh.phase == .disabled ? .edgeDisabled : .otherEdgeLoading))
        }
        // The refresh takes precedence. A load-more edge that the finger has armed is therefore
        // disarmed.
        reevaluate(at: now, into: &effects)
    }

    /// The reason why a request with this cause has no effect now. Nil if it has an effect.
    private func refusal(
        of cause: Cause, _ options: RefreshOptions, at now: Instant
    ) -> DiagnosticCode? {
        guard let intent = cause.intent(isFingerDown: true) else { return nil }
        guard options.intents.allows(Intents(intent)) else { return .intentLeftOut }
        let isUser = intent != .code && intent != .retry
        return isUser && isCoolingDown(options, at: now) ? .coolingDown : nil
    }

    /// Handles the request for a refresh while a refresh loads or waits. Source: docs/protocol.md,
    /// "Policies", `repeat`.
    private mutating func repeatRefresh(
        _ cause: Cause, at now: Instant, into effects: inout [Effect]
    ) {
        guard let options = options.refresh, options.repetition != .reject else {
            return effects.append(.ignore(.alreadyLoading))
        }
        if let refusal = refusal(of: cause, options, at: now) {
            return effects.append(.ignore(refusal))
        }
        // A refresh that waits has not requested anything yet, so its load is also the answer to
        // the newest request.
        guard options.repetition == .newest, refresh.load != nil else {
            return effects.append(.joinRefresh(refresh.load))
        }
        refresh.request.cause = cause
        applyToRefresh(.superseded(by: nextLoad), at: now, into: &effects)
    }

    /// Ends the refresh load because a newer one replaces it. The newer load also delivers the
    /// changes of the feed that the ended load would have delivered.
    private mutating func endSupersededLoad(
        _ load: LoadID, at now: Instant, into effects: inout [Effect]
    ) {
        let isAwaited = changes.isAwaited
        changes.silentLoad = 0
        changes.recordRefreshEnd()
        if isAwaited { changes.isPending = true }
        refresh.recordEnd(.cancelled, at: now)
        effects.append(.endLoad(load, .refresh, .cancelled))
    }

    /// Handles the appearance of the view. If its content is too old, the view is refreshed.
    mutating func handleAppearance(at now: Instant, into effects: inout [Effect]) {
        // An awaited first page (`AwaitedPage`) is newer than the content, so no refresh is
        // necessary.
        guard let options = options.refresh, options.isEnabled, options.staleAfter > 0,
            refresh.awaited == .none
        else { return }
        if let updated = refresh.lastUpdated,
            now < updated.advanced(byMilliseconds: options.staleAfter)
        {
            return
        }
        handleRefreshRequest(.stale, animated: true, at: now, into: &effects)
    }

    /// Shows the indicator on request, without a load.
    mutating func handleIndicatorShowRequest(
        animated: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        guard hasEdge(.refresh) else { return effects.append(.refuse(.missingEdge)) }
        // A load that runs or waits keeps the cause of its own request.
        if !refresh.isBusy { refresh.request.cause = .visual }
        applyToRefresh(.shown, animated: animated, at: now, into: &effects)
        if refresh.phase == .disabled { effects.append(.ignore(.edgeDisabled)) }
        reevaluate(at: now, into: &effects)
    }

    mutating func handleIndicatorHideRequest(
        animated: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        guard hasEdge(.refresh) else { return effects.append(.refuse(.missingEdge)) }
        applyToRefresh(
            .hidden(closingDisplay(at: now, animated: animated)), animated: animated, at: now,
            into: &effects)
        resumeLoadMore(at: now, into: &effects)
    }

    /// Whether, and when, a refresh that is requested now may load.
    var refreshStart: LoadStart {
        // An invisible refresh that runs becomes visible, unless the newest request replaces it.
        if let silentLoad, options.refresh?.repetition != .newest { return .now(silentLoad) }
        guard loadMore.load != nil else { return .now(nextLoad) }
        switch options.refresh?.whileLoading {
        case .cancel, .concurrent: return .now(nextLoad)
        case .queue: return .later
        case .reject, nil: return .never
        }
    }

    @inline(__always)
    mutating func applyToRefresh(
        _ fact: RefreshFact, animated: Bool = true, at now: Instant,
        into effects: inout [Effect]
    ) {
        perform(
            refresh.phase.transition(for: fact), animated: animated, at: now, into: &effects)
    }

    /// Changes the phase, and performs the action of the transition.
    @inline(__always)
    mutating func perform(
        _ transition: RefreshPhase.Transition, animated: Bool = true, at now: Instant,
        into effects: inout [Effect]
    ) {
        refresh.phase = transition.phase
        guard transition.action != .nothing else { return }
        if deadlines.completionDisplay != .never, !refresh.phase.isShowingCompletion {
            deadlines.completionDisplay = .never
        }
        switch transition.action {
        case .show: showRefresh(into: &effects)
        default: perform(transition.action, animated: animated, at: now, into: &effects)
        }
    }

    private mutating func perform(
        _ action: RefreshAction, animated: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        switch action {
        case .nothing: break
        case .show: showRefresh(into: &effects)
        case .arm:
            effects.append(
                .showEdge(
                    .refresh, .pulling, progress: refresh.shownProgress, cause: nil, result: nil))
            showRefresh(into: &effects)
            play(.selection, into: &effects)
        case .disarm:
            play(.selection, into: &effects)
            showRefresh(into: &effects)
        case .fire(let load):
            recordFiredRefresh(into: &effects)
            revealRefresh(animated: true, at: now, into: &effects)
            cancelConflictingLoadMore(at: now, into: &effects)
            startRefresh(load, trigger: .refreshControl, at: now, into: &effects)
        case .queue:
            recordFiredRefresh(into: &effects)
            refresh.animates = true
            refresh.request.isQueuedByGesture = true
            showRefresh(cause: refresh.request.cause, into: &effects)
        case .begin(let load):
            cancelConflictingLoadMore(at: now, into: &effects)
            revealRefresh(animated: animated, at: now, into: &effects)
            startRefresh(load, trigger: manualTrigger, at: now, into: &effects)
        case .beginHidden(let load):
            cancelConflictingLoadMore(at: now, into: &effects)
            showRefresh(cause: refresh.request.cause, into: &effects)
            startRefresh(load, trigger: manualTrigger, at: now, into: &effects)
        case .attachLoad(let load):
            cancelConflictingLoadMore(at: now, into: &effects)
            deadlines.completionDisplay = .never
            showRefresh(cause: refresh.request.cause, into: &effects)
            startRefresh(load, trigger: manualTrigger, at: now, into: &effects)
        case .supersede(let old):
            guard let load = refresh.load else { return }
            endSupersededLoad(old, at: now, into: &effects)
            cancelConflictingLoadMore(at: now, into: &effects)
            showRefresh(cause: refresh.request.cause, into: &effects)
            requestFirstPage(load, trigger: manualTrigger, at: now, into: &effects)
        case .reveal: revealRefresh(animated: animated, at: now, into: &effects)
        case .conclude(let load, let result):
            concludeRefresh(load, result, at: now, into: &effects)
        case .finish(let load, let result):
            closeRefresh(result: result, animated: animated, at: now, into: &effects)
            guard let load, let result else { return }
            endRefresh(load, result, at: now, into: &effects)
        case .close: closeRefresh(result: nil, animated: animated, at: now, into: &effects)
        case .reportLateAnswer(let load): effects.append(.reportLateAnswer(load))
        }
    }

    /// The trigger of an explicit request. If the cause of the request is a finger, the user
    /// pulled the platform's control.
    private var manualTrigger: LoadTrigger {
        refresh.request.isQueuedByGesture || refresh.request.cause == .finger
            ? .refreshControl : .manual
    }

    private mutating func recordFiredRefresh(into effects: inout [Effect]) {
        recordFiring(.refresh, into: &effects)
        refresh.request.cause = gesture.cause
    }

    /// Cancels the running load of the next page, because that page of the old list would appear in
    /// the new list (B-IQ-12).
    private mutating func cancelConflictingLoadMore(at now: Instant, into effects: inout [Effect]) {
        guard options.refresh?.whileLoading != .concurrent else { return }
        applyToLoadMore(.loadCancelled, at: now, into: &effects)
    }

    mutating func showRefresh(
        cause: Cause? = nil, result: LoadResult? = nil, into effects: inout [Effect]
    ) {
        effects.append(
            .showEdge(
                .refresh, refresh.phase.state, progress: refresh.shownProgress,
                cause: cause ?? (refresh.phase == .waiting ? refresh.request.cause : nil),
                result: result))
    }

    private mutating func startRefresh(
        _ load: LoadID, trigger: LoadTrigger, at now: Instant, into effects: inout [Effect]
    ) {
        refresh.request.isQueuedByGesture = false
        announce(.refreshing, into: &effects)
        guard load != silentLoad else { return changes.silentLoad = 0 }
        if let silentLoad { endSupersededLoad(silentLoad, at: now, into: &effects) }
        requestFirstPage(load, trigger: trigger, at: now, into: &effects)
    }

    /// Requests the pages of a refresh (`pagesOfRefresh`). If the option `depth` is `first`, this
    /// is only the first page.
    mutating func requestFirstPage(
        _ load: LoadID, trigger: LoadTrigger, at now: Instant, into effects: inout [Effect]
    ) {
        if refresh.background.remove(.isPollDue) != nil { changes.isPending = false }
        changes.recordRefreshStart(
            isChange: refresh.request.cause == .changed || hasDelayedChange)
        refresh.background.remove(.isChangeDelayed)
        if refresh.request.cause != .poll { refresh.background.remove(.isVerification) }
        beginCountSinceLoad()
        refresh.size = UInt32(clamping: options.paging.size)
        refreshPages = revealsStart ? PageSpan() : pagesOfRefresh
        loadMore.filledPages = 0
        startLoad(load, .refresh, trigger: trigger, at: now, into: &effects)
    }

    /// Handles the end of a load whose indicator stays visible for a while.
    private mutating func concludeRefresh(
        _ load: LoadID, _ result: LoadResult, at now: Instant, into effects: inout [Effect]
    ) {
        scheduleCompletionDisplay(at: now)
        showRefresh(result: result, into: &effects)
        endRefresh(load, result, at: now, into: &effects)
    }

    private mutating func endRefresh(
        _ load: LoadID, _ result: LoadResult, at now: Instant, into effects: inout [Effect]
    ) {
        deadlines.refreshLoad = .never
        refresh.recordEnd(result, at: now)
        if result.isAccepted { refresh.request.isRenewed = options.refresh?.firesAgain == true }
        if options.refresh?.pullsAgain == false { refresh.isPullSpent = true }
        schedulePoll(at: now)
        effects.append(.endLoad(load, .refresh, result))
        announce(SpokenCue(refreshEndedWith: result), into: &effects)
        resolveChange(after: result, into: &effects)
    }

    /// Resumes the refresh that waited for the end of a load-more.
    mutating func resumeRefresh(at now: Instant, into effects: inout [Effect]) {
        guard refresh.phase == .waiting else { return }
        applyToRefresh(
            .resumed(
                nextLoad, waits: options.isClientBacked && !refresh.request.isQueuedByGesture),
            animated: refresh.animates, at: now, into: &effects)
    }

    func play(_ haptic: Haptic, into effects: inout [Effect]) {
        if options.playsHaptics { effects.append(.play(haptic)) }
    }

    func announce(_ cue: SpokenCue, into effects: inout [Effect]) {
        if options.announces { effects.append(.announce(cue)) }
    }

    /// The identity of the next load, if one begins.
    @inline(__always)
    var nextLoad: LoadID { LoadID(generation: generation, number: lastLoadNumber &+ 1) }
}

extension SpokenCue {
    fileprivate init(refreshEndedWith result: LoadResult) {
        switch result {
        case .success, .empty, .noMore: self = .refreshed
        case .failed, .timedOut: self = .refreshFailed
        case .cancelled, .refused: self = .refreshCancelled
        }
    }
}
