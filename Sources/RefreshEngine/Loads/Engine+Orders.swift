package import RefreshProtocol

/// The loads of both edges, by kind.
extension Engine {
    /// The latest request of the edge that loads `kind`.
    subscript(kind: LoadKind) -> EdgeRequest {
        get {
            switch kind {
            case .refresh: refresh.request
            case .more: loadMore.request
            }
        }
        set {
            switch kind {
            case .refresh: refresh.request = newValue
            case .more: loadMore.request = newValue
            }
        }
    }

    /// The load of that kind that is in flight, visible or not.
    func load(of kind: LoadKind) -> LoadID? {
        switch kind {
        case .refresh: refreshLoad
        case .more: loadMore.load
        }
    }

    /// The kind of a load that is in flight; nil if it is not in flight.
    package func kind(ofRunning load: LoadID) -> LoadKind? {
        if load == refreshLoad { return .refresh }
        return load == loadMore.load || pageLoad(load) != nil ? .more : nil
    }

    /// Whether an answer to `load` is a late answer, because the load is not in flight. The engine
    /// then appends `reportLateAnswer`, and its state does not change.
    func isLateAnswer(to load: LoadID) -> Bool { kind(ofRunning: load) == nil }

    /// Records that a gesture has fired the edge that loads `kind`.
    mutating func recordFiring(_ kind: LoadKind, into effects: inout [Effect]) {
        gesture.markFired(kind.role)
        self[kind].isRenewed = false
        play(.impact, into: &effects)
    }

    /// Starts a load whose request is recorded.
    mutating func startLoad(
        _ load: LoadID, _ kind: LoadKind, trigger: LoadTrigger, at now: Instant,
        into effects: inout [Effect]
    ) {
        // The load of a first page begins, so the view no longer awaits one.
        if kind == .refresh || !paging.hasPage {
            let wasAwaiting = refresh.awaited != .none
            stopAwaiting()
            if wasAwaiting, kind == .more { schedulePoll(at: now) }
        }
        lastLoadNumber = load.number
        if kind == .more { paging.applyShift() }
        loadMore.mayFill = false
        self[kind].trigger = trigger
        self[kind].attempt &+= 1
        restartDeadline(of: kind, at: now)
        effects.append(.startLoad(order(load, kind)))
    }

    private mutating func restartDeadline(of kind: LoadKind, at now: Instant) {
        let end = now.advanced(byMilliseconds: options.deadline(of: kind))
        switch kind {
        case .refresh:
            refresh.background.remove(.isPollScheduled)
            deadlines.refreshLoad = end
        case .more:
            deadlines.loadMoreWait = end
            loadMore.startedAt = now
        }
    }

    func order(_ load: LoadID, _ kind: LoadKind) -> LoadOrder {
        let pages = kind == .refresh ? refreshPages : PageSpan()
        let (request, page) = (self[kind], paging.request(for: kind, skipping: pages.skipped))
        return LoadOrder(
            id: load, kind: kind, trigger: request.trigger, cause: request.cause, page: page.page,
            offset: page.offset, size: kind == .refresh ? Int(refresh.size) : options.paging.size,
            cursor: page.cursor, attempt: max(1, Int(request.attempt)),
            deadlineMs: Int(options.deadline(of: kind)), pages: Int(pages.count),
            skipped: hasRandomAccess ? 0 : Int(pages.skipped))
    }

    /// The orders of the loads in flight, the refresh first. The deadline of each order is its full
    /// time, and not the time that is left.
    package var loadsInFlight: [LoadOrder] {
        LoadKind.allCases.compactMap { kind in load(of: kind).map { order($0, kind) } }
            + pageOrders
    }

    /// Restarts the deadlines of the loads in flight at `now`, each with its full duration. A
    /// look-up does not survive the process that ran it. It counts as a look-up that has found
    /// nothing.
    package mutating func restartLoadDeadlines(at now: Instant) {
        for kind in LoadKind.allCases where load(of: kind) != nil {
            restartDeadline(of: kind, at: now)
        }
        restartPageDeadlines(at: now)
        guard refresh.looksUp else { return }
        refresh.looksUp = false
        if deadlines.refreshLoad == .never { deadlines.refreshLoad = now }
    }
}
