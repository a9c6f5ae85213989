package import RefreshProtocol

/// Random access: the view requests the pages of the rows in sight, in any order. Source:
/// docs/protocol.md, "What is in sight".
///
/// The load-more edge of such a view is disabled. Its deadline, `loadMoreWait`, is that of the
/// loads and waits of this file, so other views have no further deadline.
extension Engine {
    /// Whether the view has random access.
    package var hasRandomAccess: Bool { inSightBox != nil }

    var inSight: InSight? {
        get { inSightBox?.value }
        set { inSightBox = newValue.map { Boxed($0) } }
    }

    /// The approximate number of bytes of the state for random access.
    package var inSightBytes: Int {
        inSight.map { MemoryLayout<InSight>.stride + $0.loaded.byteCount } ?? 0
    }

    /// The rows that the client last reported.
    package var visibleRows: VisibleRows? { inSight?.rows }

    private var pageSize: Int { max(options.paging.size, 1) }

    private var movement: InSight.Movement {
        switch (gesture.phase, gesture.cause) {
        case (.resting, _): .resting
        case (.dragging, _), (.coasting, .wheel), (.coasting, .key), (.coasting, .accessibility):
            .held
        case (.coasting, _): .coasting
        }
    }

    // MARK: Events

    /// Handles a report of the rows in sight.
    mutating func handleVisibleRows(
        _ rows: VisibleRows, at now: Instant, into effects: inout [Effect]
    ) {
        guard inSightBox != nil else { return }
        let movement = movement
        inSight?.record(rows, movement, at: now)
        requestPagesInSight(at: now, into: &effects)
    }

    /// Handles the deadline of a load, of the wait for a list to rest, or of a pause.
    mutating func handleInSightDeadline(at now: Instant, into effects: inout [Effect]) {
        for load in inSight?.loads ?? [] where load.due <= now {
            endPageLoad(load, LoadEnding(.timedOut), at: now, into: &effects)
        }
        if let restsAt = inSight?.restsAt, restsAt <= now { inSight?.settle() }
        requestPagesInSight(at: now, into: &effects)
    }

    /// Handles the end of a load that no edge has requested. Returns false if it is no load of a
    /// page in sight.
    mutating func handlePageEnd(
        _ load: LoadID, _ ending: LoadEnding, at now: Instant, into effects: inout [Effect]
    ) -> Bool {
        guard let load = pageLoad(load) else { return false }
        endPageLoad(load, ending, at: now, into: &effects)
        requestPagesInSight(at: now, into: &effects)
        return true
    }

    private mutating func endPageLoad(
        _ load: InSight.PageLoad, _ ending: LoadEnding, at now: Instant,
        into effects: inout [Effect]
    ) {
        guard var state = inSight else { return }
        state.loads.removeAll { $0 == load }
        let id = LoadID(generation: generation, number: load.number)
        guard ending.result.isAccepted else {
            if ending.result != .cancelled { state.recordFailure(at: now) }
            inSight = state
            return effects.append(.endLoad(id, .more, ending.result))
        }
        state.recordSuccess()
        let rows = rowCount(ending, page: Int(load.page), known: state.total)
        if let rows, state.setTotal(rows, size: pageSize) {
            paging.setTotal(Int(state.total ?? 0))
            effects.append(.showList(count: paging.itemCount, hasMore: false))
        }
        guard load.page < state.pageCount(size: pageSize) else {
            // The list has become shorter, and the client has no such row any more.
            inSight = state
            return effects.append(.endLoad(id, .more, .cancelled))
        }
        state.loaded.insert(Int(load.page))
        inSight = state
        effects.append(.endPage(id, page: Int(load.page), ending.result))
    }

    /// The number of rows of the list according to an answer; nil if it is not known. A list has a
    /// row for each item that it gets, also if the `total` of the answer is smaller.
    private func rowCount(_ ending: LoadEnding, page: Int, known: UInt32?) -> Int? {
        guard let total = ending.total ?? known.map({ Int($0) }) else { return nil }
        return ending.count > 0 ? max(total, page * pageSize + ending.count) : total
    }

    // MARK: Requests

    /// Cancels the loads of pages that have left sight, and requests the pages that are needed.
    private mutating func requestPagesInSight(at now: Instant, into effects: inout [Effect]) {
        let window = inSight?.window(movement, size: pageSize)
        if inSight?.total != nil {
            let end = inSight?.pageCount(size: pageSize) ?? 0
            for load in inSight?.loads ?? []
            where Int(load.page) >= end || window?.kept.contains(Int(load.page)) == false {
                endPageLoad(load, LoadEnding(.cancelled), at: now, into: &effects)
            }
        }
        guard let window else { return scheduleInSight(isWaiting: false) }
        var isPaused = false
        for page in window.wanted {
            guard let state = inSight, state.loads.count < InSight.loadsMax else { break }
            guard !state.loaded.contains(page), !state.loads.contains(where: { $0.page == page })
            else { continue }
            guard now >= state.pausedUntil else {
                isPaused = true
                break
            }
            startPageLoad(page, at: now, into: &effects)
        }
        scheduleInSight(isWaiting: isPaused)
    }

    private mutating func startPageLoad(
        _ page: Int, at now: Instant, into effects: inout [Effect]
    ) {
        let load = nextLoad
        lastLoadNumber = load.number
        let due = now.advanced(byMilliseconds: options.deadline(of: .more))
        let started = InSight.PageLoad(number: load.number, page: UInt16(clamping: page), due: due)
        inSight?.loads.append(started)
        effects.append(.startLoad(order(started)))
    }

    /// Sets the next deadline. `isWaiting`: whether a page waits for the end of a pause.
    private mutating func scheduleInSight(isWaiting: Bool) {
        guard let state = inSight else { return }
        var next = min(state.restsAt, state.loads.map(\.due).min() ?? .never)
        if isWaiting { next = min(next, state.pausedUntil) }
        deadlines.loadMoreWait = next
    }

    /// The identity of the load of a page; nil if it is not in flight.
    func pageLoad(_ load: LoadID) -> InSight.PageLoad? {
        guard let state = inSightBox?.value, load.generation == generation else { return nil }
        return state.loads.first { $0.number == load.number }
    }

    private func order(_ load: InSight.PageLoad) -> LoadOrder {
        let place = paging.place(ofPage: Int(load.page))
        return LoadOrder(
            id: LoadID(generation: generation, number: load.number), kind: .more,
            trigger: .reachAtEnd, cause: .fill, page: place.page, offset: place.offset,
            size: pageSize, cursor: nil, attempt: 1 + Int(inSightBox?.value.failures ?? 0),
            deadlineMs: Int(options.deadline(of: .more)), pages: 1, skipped: 0)
    }

    /// The orders of the pages that are loaded because they are in sight.
    var pageOrders: [LoadOrder] { inSightBox?.value.loads.map { order($0) } ?? [] }

    /// Gives each running load of a page its full time again.
    mutating func restartPageDeadlines(at now: Instant) {
        guard var state = inSight else { return }
        let due = now.advanced(byMilliseconds: options.deadline(of: .more))
        for index in state.loads.indices { state.loads[index].due = due }
        inSight = state
        scheduleInSight(isWaiting: state.pausedUntil > now)
    }

    // MARK: The list

    /// The page that a refresh requests: the first one in sight. Nil without random access.
    var pageOfRefresh: Int? { inSightBox?.value.firstPage(size: pageSize) }

    /// Records the answer to a refresh. The list has the rows that the answer counts, and the items
    /// of one page. Returns false if the view has no random access, or if the answer does not count
    /// the rows. In the latter case, the view continues with sequential access.
    mutating func acceptRows(_ ending: LoadEnding) -> Bool {
        guard var state = inSight else { return false }
        state.isReplaced = true
        state.loaded = PageSet()
        state.total = nil
        let page = Int(refreshPages.skipped)
        if ending.total != nil, let total = rowCount(ending, page: page, known: nil) {
            _ = state.setTotal(total, size: pageSize)
            if page < state.pageCount(size: pageSize) { state.loaded.insert(page) }
            paging.accept(rows: Int(state.total ?? 0), page: page)
        }
        inSight = state
        return ending.total != nil
    }

    /// Handles the replacement of the list by a refresh. The other pages in sight are requested.
    mutating func handleRowsReplacement(at now: Instant, into effects: inout [Effect]) {
        guard let state = inSight, state.isReplaced else { return }
        inSight?.isReplaced = false
        cancelPageLoads(at: now, into: &effects)
        inSight?.recordSuccess()
        guard state.total != nil else { return endRandomAccess(at: now, into: &effects) }
        requestPagesInSight(at: now, into: &effects)
    }

    private mutating func endRandomAccess(at now: Instant, into effects: inout [Effect]) {
        options.paging.access = .sequential
        inSightBox = nil
        deadlines.loadMoreWait = .never
        guard options.loadMore?.isEnabled == true else { return }
        applyToLoadMore(.enabled(hasMore: paging.hasMore), at: now, into: &effects)
    }

    /// Handles a request to cancel. No page is requested until the client reports rows again.
    mutating func cancelPagesInSight(at now: Instant, into effects: inout [Effect]) {
        guard inSightBox != nil else { return }
        cancelPageLoads(at: now, into: &effects)
        inSight?.rows = nil
        inSight?.settle()
        scheduleInSight(isWaiting: false)
    }

    private mutating func cancelPageLoads(at now: Instant, into effects: inout [Effect]) {
        for load in inSight?.loads ?? [] {
            endPageLoad(load, LoadEnding(.cancelled), at: now, into: &effects)
        }
    }

    /// Begins a new list, with these options.
    mutating func discardRows(
        _ options: PagingOptions, at now: Instant, into effects: inout [Effect]
    ) {
        if inSightBox != nil {
            cancelPageLoads(at: now, into: &effects)
            inSightBox = nil
            deadlines.loadMoreWait = .never
        }
        guard options.access == .random else { return }
        inSightBox = Boxed(InSight())
        applyToLoadMore(.disabled, at: now, into: &effects)
    }
}

extension Paging {
    /// The number of a page and the offset of its first item. `page` is counted from 0.
    package func place(ofPage page: Int) -> (page: Int, offset: Int) {
        let first = Paging(options)
        return (first.lastPage + page, first.lastOffset + page * options.size)
    }
}
