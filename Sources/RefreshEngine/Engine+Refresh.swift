import RefreshProtocol

/// The refresh edge: facts to its phase, and the deeds that follow.
extension Engine {
    mutating func refreshAsked(
        _ cause: Cause, animated: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        guard hasEdge(.top) else { return effects.append(.refuse(.missingEdge)) }
        guard refresh.load == nil else { return }
        refreshCause = cause
        refreshAnimates = animated
        applyToRefresh(
            .asked(nextLoad, waits: options.isClientBacked), animated: animated, at: now,
            into: &effects)
        // What the finger armed at the other edge is void: the refresh comes first (rule 7).
        evaluate(isSample: false, at: now, into: &effects)
    }

    /// The indicator by request, without a load.
    mutating func refreshShown(
        animated: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        guard hasEdge(.top) else { return effects.append(.refuse(.missingEdge)) }
        refreshCause = .visual
        applyToRefresh(.shown, animated: animated, at: now, into: &effects)
        evaluate(isSample: false, at: now, into: &effects)
    }

    @inline(__always)
    mutating func applyToRefresh(
        _ fact: RefreshFact, animated: Bool = true, at now: Instant,
        into effects: inout [Effect]
    ) {
        let transition = refresh.handling(fact)
        refresh = transition.phase
        switch transition.deed {
        case .nothing: return
        case .show: showRefresh(into: &effects)
        default: perform(transition.deed, animated: animated, at: now, into: &effects)
        }
    }

    private mutating func perform(
        _ deed: RefreshDeed, animated: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        switch deed {
        case .nothing: break
        case .show: showRefresh(into: &effects)
        case .arm:
            effects.append(.showEdge(.top, .pulling, progress: 1, cause: nil, result: nil))
            showRefresh(into: &effects)
            effects.append(.play(.selection))
        case .disarm:
            effects.append(.play(.selection))
            showRefresh(into: &effects)
        case .fire(let load):
            gesture.fire(.top)
            refreshCause = gesture.cause
            effects.append(.play(.impact))
            revealRefresh(animated: true, at: now, into: &effects)
            startRefresh(load, trigger: .refreshControl, at: now, into: &effects)
        case .begin(let load):
            revealRefresh(animated: animated, at: now, into: &effects)
            startRefresh(load, trigger: .manual, at: now, into: &effects)
        case .ask(let load), .join(let load):
            showRefresh(cause: refreshCause, into: &effects)
            startRefresh(load, trigger: .manual, at: now, into: &effects)
        case .reveal: revealRefresh(animated: animated, at: now, into: &effects)
        case .finish(let load, let result):
            finishRefresh(load, result, animated: animated, at: now, into: &effects)
        case .dropLateAnswer(let load): effects.append(.dropLateAnswer(load))
        }
    }

    mutating func showRefresh(
        cause: Cause? = nil, result: LoadResult? = nil, into effects: inout [Effect]
    ) {
        effects.append(
            .showEdge(
                .top, refresh.state, progress: refresh.progress, cause: cause, result: result))
    }

    /// The indicator turns, in its room; a list that rests at its top moves down to show it
    /// (rule 11; O-IQ-18).
    private mutating func revealRefresh(
        animated: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        guard let options = options.refresh else { return }
        showRefresh(cause: refreshCause, into: &effects)
        let restsAtTop =
            gesture.phase == .resting && spring == nil
            && abs(offset - geometry.restingOffset) <= Self.restingTolerance
        if options.holdsInset {
            insets.add(options.length, at: .top)
            tellInsets(duration: animated ? options.insetDuration : 0, at: now, into: &effects)
        }
        revealedLength = options.length
        guard restsAtTop else { return }
        move(
            to: geometry.restingOffset - options.length,
            duration: animated ? options.offsetDuration : 0, at: now, into: &effects)
    }

    private mutating func startRefresh(
        _ load: LoadID, trigger: LoadTrigger, at now: Instant, into effects: inout [Effect]
    ) {
        // A page of the old list would land in the new one (B-IQ-12): the refresh wins.
        applyToMore(.abandoned, at: now, into: &effects)
        lastLoadNumber = load.number
        refreshAttempt += 1
        mayFill = false
        filledPages = 0
        deadlines.refreshLoad = now.advanced(byMilliseconds: options.loadDeadline)
        let request = paging.request(for: .refresh)
        effects.append(
            .startLoad(
                LoadOrder(
                    id: load, kind: .refresh, trigger: trigger, cause: refreshCause,
                    page: request.page, offset: request.offset, size: options.paging.size,
                    cursor: request.cursor, attempt: refreshAttempt)))
    }

    /// It is over: the room closes, and a list that still rests in it goes back to its top; one that
    /// the user has scrolled elsewhere stays (KV-1).
    private mutating func finishRefresh(
        _ load: LoadID?, _ result: LoadResult?, animated: Bool, at now: Instant,
        into effects: inout [Effect]
    ) {
        insets.remove(at: .top)
        let insetDuration = animated ? options.refresh?.insetDuration ?? 0 : 0
        tellInsets(duration: insetDuration, at: now, into: &effects)
        if revealedLength > 0 { returnToTop(animated: animated, at: now, into: &effects) }
        revealedLength = 0
        showRefresh(result: result, into: &effects)
        guard let load, let result else { return }
        deadlines.refreshLoad = nil
        hasRefreshFailed = result == .failed || result == .timedOut
        if !hasRefreshFailed { refreshAttempt = 0 }
        effects.append(.endLoad(load, .refresh, result))
    }

    private mutating func returnToTop(
        animated: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        if let spring {
            offset = spring.offset(at: now)
            abandonSpring()
            springBack(at: now, into: &effects)
            return
        }
        // A list that the program moves is on its way to the revealed place, not in the user's hand.
        guard gesture.phase == .resting || (!gesture.isFingerDown && gesture.cause == .code),
            offset < geometry.restingOffset - Self.restingTolerance
        else { return }
        move(
            to: geometry.restingOffset,
            duration: animated ? options.refresh?.offsetDuration ?? 0 : 0, at: now,
            into: &effects)
    }

    /// Commands the offset and takes it as done.
    mutating func move(
        to target: Double, duration: Double, at now: Instant, into effects: inout [Effect]
    ) {
        offset = target
        effects.append(
            .moveContent(
                OffsetCommand(
                    target: target,
                    timeline: Timeline(start: now, duration: duration, curve: .easeInOut))))
    }

    /// Tells the insets that are wanted, unless a finger is down: then the release does (rule 10).
    mutating func tellInsets(
        duration: Double? = nil, at now: Instant, into effects: inout [Effect]
    ) {
        guard !gesture.isFingerDown, !insets.isSettled else { return }
        let usual = options.refresh?.insetDuration ?? options.loadMore?.insetDuration ?? 0
        if let command = insets.tell(start: now, duration: duration ?? usual) {
            effects.append(.setInset(command))
        }
    }

    /// The driver could not deliver inset commands before a finger came down, and takes them back; the
    /// client has the shares given here. The release tells what is wanted then.
    package mutating func withdrawInsets(clientHasTop top: Double, bottom: Double) {
        insets.withdraw(clientHasTop: top, bottom: bottom)
    }

    /// The identity of the next load, if one begins.
    @inline(__always)
    var nextLoad: LoadID { LoadID(generation: generation, number: lastLoadNumber &+ 1) }
}
