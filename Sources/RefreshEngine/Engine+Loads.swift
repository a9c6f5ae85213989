import RefreshProtocol

/// Loads in flight: their beginnings, ends and repetitions.
extension Engine {
    mutating func loadBegan(
        _ load: LoadID, accepted: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        switch load {
        case refresh.load:
            applyToRefresh(
                accepted ? .loadBegan(load) : .loadRefused(load),
                animated: !accepted || refreshAnimates, at: now, into: &effects)
        case loadMore.load:
            if !accepted { applyToMore(.loadRefused(load), at: now, into: &effects) }
        default: effects.append(.dropLateAnswer(load))
        }
    }

    /// A load ended. It may at any moment after its start: before it was shown, under a finger, in the
    /// same breath (B-MR-2, O-IQ-10). A finger that still rests is looked at with its next sign of life, as
    /// the originals do; short content with its next geometry.
    mutating func loadEnded(
        _ load: LoadID, _ ending: LoadEnding, at now: Instant, into effects: inout [Effect]
    ) {
        switch load {
        case refresh.load:
            if ending.result.isAccepted { paging.accept(ending, of: .refresh) }
            applyToRefresh(.loadEnded(load, ending.result), at: now, into: &effects)
            if ending.result.isAccepted {
                contentChanged()
                applyToMore(.renewed(hasMore: paging.hasMore), at: now, into: &effects)
            }
        case loadMore.load:
            if ending.result.isAccepted { paging.accept(ending, of: .more) }
            applyToMore(
                .loadEnded(load, ending.result, hasMore: paging.hasMore), at: now,
                into: &effects)
            if ending.result.isAccepted { contentChanged() }
        default: effects.append(.dropLateAnswer(load))
        }
    }

    private mutating func contentChanged() {
        hasAskedForMore = false
        mayFill = paging.hasMore
        gesture.meetNewContent()
    }

    mutating func retryAsked(_ edge: Edge?, at now: Instant, into effects: inout [Effect]) {
        let isMoreFailed = loadMore == .failed
        guard hasEdge(edge) else { return effects.append(.refuse(.missingEdge)) }
        switch edge ?? (isMoreFailed ? .bottom : .top) {
        case .bottom where isMoreFailed && refresh.load == nil:
            moreCause = .retry
            applyToMore(.asked(nextLoad), at: now, into: &effects)
        case .top where hasRefreshFailed && refresh.load == nil:
            refreshAsked(.retry, animated: true, at: now, into: &effects)
        case .top, .bottom: effects.append(.refuse(.nothingToRetry))
        }
    }

    mutating func cancelAsked(_ edge: Edge?, at now: Instant, into effects: inout [Effect]) {
        guard hasEdge(edge) else { return effects.append(.refuse(.missingEdge)) }
        if edge != .bottom, let load = refresh.load {
            applyToRefresh(.loadEnded(load, .cancelled), at: now, into: &effects)
        }
        if edge != .top { applyToMore(.abandoned, at: now, into: &effects) }
    }

    /// Whether the view has that edge; any, with nil.
    func hasEdge(_ edge: Edge?) -> Bool {
        switch edge {
        case .top: options.refresh != nil
        case .bottom: options.loadMore != nil
        case nil: true
        }
    }

    mutating func timePassed(at now: Instant, into effects: inout [Effect]) {
        if let deadline = deadlines.gesture, deadline <= now {
            if pan != nil {
                cancelGesture(at: now, into: &effects)
                letGo(at: now, into: &effects)
            } else {
                cancelGesture(at: now, into: &effects)
                comeToRest(at: now, into: &effects)
            }
        }
        if let deadline = deadlines.settle, deadline <= now { settle(at: now, into: &effects) }
        if let deadline = deadlines.refreshLoad, deadline <= now, let load = refresh.load {
            applyToRefresh(.loadEnded(load, .timedOut), at: now, into: &effects)
        }
        if let deadline = deadlines.moreLoad, deadline <= now, let load = loadMore.load {
            applyToMore(
                .loadEnded(load, .timedOut, hasMore: paging.hasMore), at: now,
                into: &effects)
        }
    }

    mutating func detached(at now: Instant, into effects: inout [Effect]) {
        deadlines = Deadlines()
        if let load = refresh.load { effects.append(.endLoad(load, .refresh, .cancelled)) }
        if let load = loadMore.load { effects.append(.endLoad(load, .more, .cancelled)) }
        refresh = .disabled
        loadMore = .disabled
    }
}
