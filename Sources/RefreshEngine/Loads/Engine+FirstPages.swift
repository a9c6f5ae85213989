package import RefreshProtocol

/// A first page that the view is going to request, without a request of its user. It is the first
/// page of a new query, or of a view that was just attached. Source: docs/protocol.md, "Queries"
/// and "First items".
///
/// ```
/// queryChanged ──▶ look-up, debounce ──▶ silent load
///                        │ found: shown at once; if it is fresh, no load follows
/// ```
package enum AwaitedPage: String, Hashable, Sendable, Codable, UsualValue {
    /// The view awaits no first page.
    case none
    /// The page of a new query. It is requested when neither the debounce nor the look-up runs.
    case query
    /// The first items of the view. They are requested if there is no look-up, or if the look-up
    /// finds none.
    case initial

    package static var usual: AwaitedPage { .none }
}

extension Engine {
    /// Handles a new query, which makes a new list. The old list stays visible unless `clears` is
    /// true.
    mutating func handleQueryChange(
        debounceMs: UInt32, clears: Bool, looksUp: Bool, at now: Instant,
        into effects: inout [Effect]
    ) {
        // The changes of the feed until now concerned the old list, so they are not reported.
        changes.recordRefreshEnd()
        cancelRefresh(at: now, into: &effects)
        refresh.hasFailed = false
        refresh.request.attempt = 0
        refresh.lastUpdated = nil
        if clears { discardChanges(into: &effects) }
        changes.isPending = false
        refresh.background.remove(.isChangeDelayed)
        discardPages(options.paging, isShown: clears, at: now, into: &effects)
        suspendPolling()
        refresh.awaited = .query
        if debounceMs > 0 { deadlines.refreshLoad = now.advanced(byMilliseconds: debounceMs) }
        if looksUp {
            beginLookUp(.query, into: &effects)
        } else if debounceMs == 0 {
            requestAwaitedPage(at: now, into: &effects)
        }
    }

    /// Handles the attachment of a view that gets its first items without a request. If the view
    /// has requested a page before, nothing happens.
    mutating func handleFirstItemsRequest(
        looksUp: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        guard lastLoadNumber == 0, refresh.awaited == .none else { return }
        suspendPolling()
        refresh.awaited = .initial
        guard looksUp else { return requestAwaitedPage(at: now, into: &effects) }
        beginLookUp(.initial, into: &effects)
    }

    private mutating func beginLookUp(_ cause: Cause, into effects: inout [Effect]) {
        let load = nextLoad
        lastLoadNumber = load.number
        refresh.looksUp = true
        effects.append(.startLoad(cachedOrder(load, cause, .lookUp)))
    }

    /// The `LoadOrder` of a look-up, or of the load that a successful look-up becomes.
    private mutating func cachedOrder(
        _ load: LoadID, _ cause: Cause, _ source: LoadOrder.Source
    ) -> LoadOrder {
        refresh.size = UInt32(clamping: options.paging.size)
        // This `LoadOrder` is for the first page of the feed, even if an earlier refresh has
        // requested other pages.
        refreshPages = PageSpan()
        var order = order(load, .refresh)
        order.cause = cause
        order.trigger = .manual
        order.attempt = 1
        order.source = source
        return order
    }

    /// The identity of the running look-up.
    package var lookUp: LoadID? {
        refresh.looksUp ? LoadID(generation: generation, number: lastLoadNumber) : nil
    }

    mutating func handleLookUpEnd(
        _ load: LoadID, _ found: CachedEnding?, at now: Instant, into effects: inout [Effect]
    ) {
        guard load == lookUp else {
            if found != nil { effects.append(.reportLateAnswer(load)) }
            return
        }
        refresh.looksUp = false
        let awaited = refresh.awaited
        if let found {
            acceptCachedPage(load, found, at: now, into: &effects)
            if awaited == .initial || found.isFresh { stopAwaiting() }
            // The rule of `staleAfter` applies to the age of the page.
            if awaited == .initial { handleAppearance(at: now, into: &effects) }
        }
        if refresh.awaited != .none, deadlines.refreshLoad == .never {
            requestAwaitedPage(at: now, into: &effects)
        }
        resumeLoadMore(at: now, into: &effects)
        schedulePoll(at: now)
    }

    private mutating func acceptCachedPage(
        _ load: LoadID, _ found: CachedEnding, at now: Instant, into effects: inout [Effect]
    ) {
        let cause: Cause = refresh.awaited == .initial ? .initial : .query
        effects.append(.startLoad(cachedOrder(load, cause, .cached)))
        acceptRefresh(found.ending)
        handleListReplacement(at: now, into: &effects)
        refresh.recordEnd(found.ending.result, at: now)
        refresh.lastUpdated = now.advanced(byMilliseconds: -Double(found.ageMs))
        effects.append(.endLoad(load, .refresh, found.ending.result))
        if found.isFresh { discardChanges(into: &effects) }
    }

    /// Handles the end of the debounce.
    mutating func handleAwaitedPageDue(at now: Instant, into effects: inout [Effect]) {
        deadlines.refreshLoad = .never
        guard !refresh.looksUp else { return }
        requestAwaitedPage(at: now, into: &effects)
    }

    private mutating func requestAwaitedPage(at now: Instant, into effects: inout [Effect]) {
        let awaited = refresh.awaited
        stopAwaiting()
        switch awaited {
        case .none: return
        case .query:
            // A page of the old list, which is still shown, would appear in the new list.
            if loadMore.load != nil, options.refresh?.whileLoading != .concurrent {
                applyToLoadMore(.loadCancelled, at: now, into: &effects)
            }
            // If a refresh waited for the cancelled load, it has begun now, and loads the first
            // page.
            if refreshLoad == nil { beginSilentRefresh(because: .query, at: now, into: &effects) }
        case .initial where refresh.phase == .disabled || options.refresh == nil:
            beginSilentRefresh(because: .initial, at: now, into: &effects)
        case .initial: handleRefreshRequest(.initial, animated: false, at: now, into: &effects)
        }
    }

    /// Stops waiting for the first page, because a load of this page begins, or because the page is
    /// not needed.
    mutating func stopAwaiting() {
        guard refresh.awaited != .none else { return }
        refresh.awaited = .none
        refresh.looksUp = false
        if refreshLoad == nil { deadlines.refreshLoad = .never }
    }

    /// Adapts the engine to a client without features, which has resumed the session.
    package mutating func removeFeatures() {
        // `initial` can begin a visible refresh. The cause of a visible refresh cannot be replaced
        // when it is sent. `query` begins an invisible load, whose cause can be replaced.
        if refresh.awaited == .initial { refresh.awaited = .query }
        refresh.request.cause = refresh.request.cause.withoutFeatures
        loadMore.request.cause = loadMore.request.cause.withoutFeatures
    }
}
