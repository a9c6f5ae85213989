import RefreshProtocol

/// The load-more edge: facts to its phase, and the deeds that follow.
extension Engine {
    /// Load more by request. A refresh comes first (rule 7).
    mutating func moreAsked(_ cause: Cause, at now: Instant, into effects: inout [Effect]) {
        guard hasEdge(.bottom) else { return effects.append(.refuse(.missingEdge)) }
        guard refresh.load == nil else { return }
        moreCause = cause
        applyToMore(.asked(nextLoad), at: now, into: &effects)
    }

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
            effects.append(.showEdge(.bottom, .approaching, progress: 1, cause: nil, result: nil))
            showMore(into: &effects)
            effects.append(.play(.selection))
        case .disarm:
            effects.append(.play(.selection))
            showMore(into: &effects)
        case .fire(let load):
            gesture.fire(.bottom)
            effects.append(.play(.impact))
            startMore(load, trigger: .reachAtEnd, at: now, into: &effects)
        case .begin(let load):
            startMore(
                load, trigger: moreCause == .fill ? .reachAtEnd : .manual, at: now,
                into: &effects)
        case .finish(let load, let result): finishMore(load, result, at: now, into: &effects)
        case .dropLateAnswer(let load): effects.append(.dropLateAnswer(load))
        }
    }

    mutating func showMore(
        cause: Cause? = nil, result: LoadResult? = nil, into effects: inout [Effect]
    ) {
        effects.append(
            .showEdge(
                .bottom, loadMore.state, progress: loadMore.progress, cause: cause,
                result: result))
    }

    private mutating func startMore(
        _ load: LoadID, trigger: LoadTrigger, at now: Instant, into effects: inout [Effect]
    ) {
        lastLoadNumber = load.number
        hasAskedForMore = true
        mayFill = false
        moreAttempt += 1
        deadlines.moreLoad = now.advanced(byMilliseconds: options.loadDeadline)
        showMore(cause: moreCause, into: &effects)
        if let options = options.loadMore, options.holdsInset {
            insets.add(options.length, at: .bottom)
            tellInsets(duration: options.insetDuration, at: now, into: &effects)
        }
        let request = paging.request(for: .more)
        effects.append(
            .startLoad(
                LoadOrder(
                    id: load, kind: .more, trigger: trigger, cause: moreCause,
                    page: request.page, offset: request.offset, size: options.paging.size,
                    cursor: request.cursor, attempt: moreAttempt)))
    }

    private mutating func finishMore(
        _ load: LoadID, _ result: LoadResult, at now: Instant, into effects: inout [Effect]
    ) {
        deadlines.moreLoad = nil
        insets.remove(at: .bottom)
        tellInsets(duration: options.loadMore?.insetDuration, at: now, into: &effects)
        showMore(result: result, into: &effects)
        if result != .failed, result != .timedOut { moreAttempt = 0 }
        if !result.isAccepted { stayInRange(at: now, into: &effects) }
        effects.append(.endLoad(load, .more, result))
    }

    /// New content that does not fill the viewport asks for the next page by itself, a few times.
    mutating func fillViewport(at now: Instant, into effects: inout [Effect]) {
        guard mayFill, let options = options.loadMore, geometry.isMeasured,
            geometry.contentLength > 0
        else { return }
        guard geometry.isContentShort, filledPages < options.fillPagesMax else {
            mayFill = false
            return
        }
        guard !refresh.isActive, loadMore.load == nil, paging.hasMore else { return }
        filledPages += 1
        moreCause = .fill
        applyToMore(.asked(nextLoad), at: now, into: &effects)
    }
}
