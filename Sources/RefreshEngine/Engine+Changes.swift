package import RefreshProtocol

/// The view's reaction to newer data in its feed.
///
/// An invisible refresh does not change the refresh state machine, because the engine itself
/// manages the load of the refresh. If the user pulls while the invisible refresh runs, the visible
/// refresh adopts this load. Source: docs/protocol.md, "Changes".
extension Engine {
    /// The load of an invisible refresh.
    package var silentLoad: LoadID? {
        changes.silentLoad == 0
            ? nil : LoadID(generation: generation, number: changes.silentLoad)
    }

    /// The refresh load in flight, visible or not.
    package var refreshLoad: LoadID? { refresh.load ?? silentLoad }

    mutating func handleFeedChange(at now: Instant, into effects: inout [Effect]) {
        guard let options = options.refresh else { return }
        switch options.changes {
        case .ignore: break
        case .cue: notifyOfNewerData(into: &effects)
        case .silent, .visible: changes.isPending = true
        }
    }

    /// Handles a pending change. The refresh for the change begins as soon as nothing prevents it.
    mutating func handlePendingChange(at now: Instant, into effects: inout [Effect]) {
        let policy = options.refresh?.changes ?? .ignore
        guard policy == .silent || policy == .visible, refresh.phase != .disabled else {
            // The options or the edge have changed since the change arrived.
            changes.isPending = false
            if policy != .ignore { notifyOfNewerData(into: &effects) }
            return
        }
        guard refresh.phase == .idle, silentLoad == nil, !loadMore.isBusy, !gesture.isFingerDown
        else { return }
        guard policy == .silent else {
            return handleRefreshRequest(.changed, animated: true, at: now, into: &effects)
        }
        refresh.request.cause = .changed
        let load = nextLoad
        requestFirstPage(load, trigger: .manual, at: now, into: &effects)
        changes.silentLoad = load.number
    }

    /// Handles the answer to an invisible refresh.
    mutating func handleSilentRefreshEnd(
        _ ending: LoadEnding, at now: Instant, into effects: inout [Effect]
    ) {
        if ending.result.isAccepted {
            paging.accept(ending, of: .refresh, requestedCount: Int(refresh.size))
            handleListReplacement(at: now, into: &effects)
        }
        endSilentRefresh(ending.result, at: now, into: &effects)
        resumeLoadMore(at: now, into: &effects)
    }

    mutating func endSilentRefresh(
        _ result: LoadResult, at now: Instant, into effects: inout [Effect]
    ) {
        guard let load = silentLoad else { return }
        changes.silentLoad = 0
        deadlines.refreshLoad = .never
        refresh.recordEnd(result, at: now)
        effects.append(.endLoad(load, .refresh, result))
        resolveChange(after: result, into: &effects)
    }

    /// Handles a change of the feed after a refresh load has ended with `result`. If the load did
    /// not deliver the change for which it began, the client is notified of the change.
    mutating func resolveChange(after result: LoadResult, into effects: inout [Effect]) {
        let (isAwaited, isOutrun) = (changes.isAwaited, changes.isNewerThanLoad)
        changes.recordRefreshEnd()
        if !result.isAccepted {
            if isAwaited { notifyOfNewerData(into: &effects) }
        } else if changes.isNotified, !isOutrun {
            changes.isNotified = false
            effects.append(.showNewer(false))
        }
    }

    mutating func discardChanges(into effects: inout [Effect]) {
        changes.isPending = false
        guard changes.isNotified else { return }
        changes.isNotified = false
        effects.append(.showNewer(false))
    }

    private mutating func notifyOfNewerData(into effects: inout [Effect]) {
        if refreshLoad != nil { changes.isNewerThanLoad = true }
        guard !changes.isNotified else { return }
        changes.isNotified = true
        effects.append(.showNewer(true))
        announce(.newer, into: &effects)
    }
}
