import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// What pages, refreshes and connections do to the operations that wait. Source: docs/protocol.md,
/// "Live items".
extension Conversation {
    /// Adds a page that is sent now to what the waiting operations make of the list.
    mutating func addPage(
        _ page: Page, _ deduplicated: DeduplicatedPage?, toOperationsOfViewAt index: Int,
        at now: Instant
    ) {
        guard let feed = views[index].feed, var live = feed.live?.value,
            !live.waiting.isEmpty
        else { return }
        var isCertain = true
        defer {
            feed.live = live.isEmpty ? nil : Boxed(live)
            if !isCertain { updateVerification(ofViewAt: index) { $0.schedule(at: now) } }
        }
        guard var edit = live.edit else {
            // The operations have waited for this page.
            if views[index].engine.refreshLoad == nil {
                let new = Set(deduplicated?.hashes ?? [])
                isCertain = live.waiting.removeContained(
                    in: new, knowing: Set(listAfterQueue(ofViewAt: index)?.keys ?? []), of: new)
            }
            return
        }
        live.edit = nil
        if let list = page.itemKeys?.list, let deduplicated,
            edit.append(list, kept: deduplicated.hashes)
        {
            isCertain = edit.isCertain
            live.edit = edit
        } else {
            live.isUnresolved = true
        }
    }

    /// Applies the operations that have waited for a page, and sends the answers to edits that have
    /// waited for their operations. The page may have replaced these operations.
    mutating func considerOperations(ofViewAt index: Int, at now: Instant) {
        let feed = views[index].feed
        guard
            feed?.live?.value.waiting.isEmpty == false
                || feed?.edits?.value.ready.isEmpty == false
        else { return }
        applyEvent(
            .operationsReported(shift: 0, isStructural: false), toViewAt: index, because: .feed,
            at: now)
    }

    /// Records that a refresh begins. It delivers the operations that were reported before.
    func recordRefreshStart(ofViewAt index: Int) {
        guard var live = views[index].feed?.live?.value else { return }
        live.countBeforeRefresh = live.waiting.count
        views[index].feed?.live = Boxed(live)
    }

    /// Records that a refresh has ended.
    mutating func recordRefreshEnd(ofViewAt index: Int, _ result: LoadResult, at now: Instant) {
        // A load that takes the place of a cancelled one has its own end.
        if result != .cancelled || views[index].engine.refreshLoad == nil {
            updateVerification(ofViewAt: index) {
                $0.recordRefreshEnd(isAccepted: result.isAccepted, at: now)
            }
        }
        guard var live = views[index].feed?.live?.value else { return }
        if result.isAccepted { live.removeDelivered() }
        live.countBeforeRefresh = 0
        views[index].feed?.live = live.isEmpty ? nil : Boxed(live)
    }

    /// Finds what the operations that were reported during a refresh make of the list. A page that
    /// is requested now may have been requested without them.
    mutating func resolveOperations(
        ofViewAt index: Int, after refresh: LoadID, _ result: LoadResult, at now: Instant
    ) {
        guard let feed = views[index].feed, var live = feed.live?.value, !live.waiting.isEmpty,
            let list = listAfterQueue(ofViewAt: index)
        else { return }
        if result.isAccepted, live.edit == nil, live.held.isEmpty {
            let old = feed.sentList?.list?.keys ?? []
            // All pages were read again.
            let shown = Set(list.keys)
            let isCertain = live.waiting.removeContained(
                in: shown.subtracting(old), knowing: [], of: shown)
            if !isCertain { updateVerification(ofViewAt: index) { $0.schedule(at: now) } }
        }
        var state = views[index].engine.operationState
        // The answer to a later request has the operations.
        let isEarlier = views[index].engine.loadMore.load.map { $0.number < refresh.number }
        state.isLoadingMore = isEarlier ?? false
        guard
            let applied = apply(
                live, to: list, state, of: feed, holdsArrivals: state.mayHoldArrivals)
        else { return }
        verifyIfCursorIsLost(applied, ofViewAt: index, at: now)
        let shift = applied.edit.shift - live.reportedShift
        live.reportedShift = applied.edit.shift
        live.edit = applied.edit
        feed.live = Boxed(live)
        views[index].engine.reportOperations(
            shift: shift, isStructural: applied.edit.isStructural)
    }

    /// Applies the operations that have waited for a client that reads again.
    mutating func resumeOperations(at now: Instant) {
        for index in views.indices
        where views[index].feed?.live != nil
            || views[index].feed?.edits?.value.ready.isEmpty == false
        {
            applyEvent(
                .operationsReported(shift: 0, isStructural: false), toViewAt: index,
                because: .time, at: now)
        }
    }

    /// Replaces operations by a change without operations if the client that has resumed does not
    /// use the feature.
    mutating func adaptOperations(ofViewAt index: Int, at now: Instant) {
        guard inbound.features?.uses(.live) != true else { return }
        let isQueued = outbox.removeOperations(of: views[index].generation)
        guard isQueued || views[index].feed?.live != nil else { return }
        views[index].feed?.sentList?.forget()
        discardOperations(ofViewAt: index, at: now)
        applyEvent(.feedChanged(), toViewAt: index, because: .feed, at: now)
    }
}
