package import RefreshProtocol

/// The view's reaction to newer data in its feed.
///
/// An invisible refresh does not change the phase of the refresh edge. Its load is recorded in
/// `Changes.silentLoad`. If the user pulls while the invisible refresh runs, the visible refresh
/// adopts this load. Source: docs/protocol.md, "Changes".
extension Engine {
    /// The load of an invisible refresh.
    package var silentLoad: LoadID? {
        changes.silentLoad == 0
            ? nil : LoadID(generation: generation, number: changes.silentLoad)
    }

    /// The refresh load in flight, visible or not.
    package var refreshLoad: LoadID? { refresh.load ?? silentLoad }

    /// Whether the view refreshes because of a change of its feed.
    package var refreshesOnChange: Bool {
        switch options.refresh?.changes {
        case .silent, .visible: true
        case .ignore, .cue, nil: false
        }
    }

    /// Whether a change was delayed, and its refresh has not begun.
    package var hasDelayedChange: Bool { refresh.background.contains(.isChangeDelayed) }

    /// Whether a refresh for a change waits. It waits if the driver (the engine's caller) has
    /// delayed it, or if it may not begin yet.
    package var hasWaitingChange: Bool {
        hasDelayedChange || changes.isPending && !refresh.background.contains(.isPollDue)
    }

    /// Records a change for which the view refreshes later. The driver reports the change by
    /// `feedChanged` when the refresh may begin. If another refresh begins earlier, that refresh
    /// delivers the change.
    ///
    /// `count`: the number of newer items of the change. These items are counted now, and not when
    /// the refresh begins.
    package mutating func delayChange(count: NewerCount) {
        countNewer(count)
        if !hasWaitingChange { refresh.background.insert(.isChangeDelayed) }
    }

    mutating func handleFeedChange(
        _ count: NewerCount, at now: Instant, into effects: inout [Effect]
    ) {
        refresh.background.remove(.isChangeDelayed)
        guard let options = options.refresh else { return }
        if options.changes != .ignore { countNewer(count) }
        switch options.changes {
        case .ignore: break
        case .cue: notifyOfNewerData(into: &effects)
        case .silent, .visible:
            // The refresh for the change replaces a poll that is due.
            refresh.background.subtract([.isPollDue, .isVerification, .isVerificationLater])
            changes.isPending = true
        }
    }

    /// Handles a pending change. The refresh for the change begins as soon as nothing prevents it.
    mutating func handlePendingChange(at now: Instant, into effects: inout [Effect]) {
        guard !refresh.background.contains(.isPollDue) else {
            return handlePendingPoll(at: now, into: &effects)
        }
        let policy = options.refresh?.changes ?? .ignore
        guard policy == .silent || policy == .visible, refresh.phase != .disabled else {
            // The options or the edge have changed since the change arrived.
            changes.isPending = false
            if policy != .ignore { notifyOfNewerData(into: &effects) }
            schedulePoll(at: now)
            return
        }
        guard canRefreshInBackground else { return }
        guard !wouldLosePlace else {
            changes.isPending = false
            if !refresh.background.contains(.isPollScheduled) { schedulePoll(at: now) }
            return notifyOfNewerData(into: &effects)
        }
        guard policy == .silent else {
            return handleRefreshRequest(.changed, animated: true, at: now, into: &effects)
        }
        beginSilentRefresh(because: .changed, at: now, into: &effects)
    }

    /// Whether a refresh that no user requested may begin. It may not begin during a pull, a load,
    /// or a refresh with its completion display. It may not begin while a finger is down, or while
    /// a `reveal` loads later pages. It also may not begin while a first page is awaited, because
    /// that page will be newer than the change.
    var canRefreshInBackground: Bool {
        refresh.phase == .idle && silentLoad == nil && refresh.awaited == .none
            && !loadMore.isBusy && !gesture.isFingerDown && !revealsLaterPages
    }

    /// Begins an invisible refresh.
    mutating func beginSilentRefresh(
        because cause: Cause, at now: Instant, into effects: inout [Effect]
    ) {
        refresh.request.cause = cause
        let load = nextLoad
        requestFirstPage(load, trigger: .manual, at: now, into: &effects)
        changes.silentLoad = load.number
    }

    /// Handles the answer to an invisible refresh.
    mutating func handleSilentRefreshEnd(
        _ ending: LoadEnding, at now: Instant, into effects: inout [Effect]
    ) {
        if ending.result.isAccepted {
            acceptRefresh(ending)
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
        schedulePoll(at: now)
        effects.append(.endLoad(load, .refresh, result))
        resolveChange(after: result, into: &effects)
    }

    /// Handles a change of the feed after a refresh load has ended with `result`. If the load has
    /// ended without success, the client is notified of the change that the load would have
    /// delivered.
    mutating func resolveChange(after result: LoadResult, into effects: inout [Effect]) {
        let (isAwaited, isOutrun) = (changes.isAwaited, changes.isNewerThanLoad)
        changes.recordRefreshEnd()
        recordRevealLoad(.refresh, result)
        guard result.isAccepted else {
            if isAwaited { notifyOfNewerData(into: &effects) }
            return
        }
        endCountOfLoad()
        if changes.isNotified, isOutrun {
            changes.hold(0)
            showNewerCount(into: &effects)
        } else {
            withdrawNewerData(into: &effects)
        }
    }

    mutating func discardChanges(into effects: inout [Effect]) {
        changes.isPending = false
        refresh.background.subtract(
            [.isChangeDelayed, .isPollDue, .isVerification, .isVerificationLater])
        discardCount()
        withdrawNewerData(into: &effects)
    }

    private mutating func withdrawNewerData(into effects: inout [Effect]) {
        guard changes.hasNewer else { return }
        changes.isNotified = false
        changes.hold(0)
        effects.append(.showNewer(false))
        showNewerCount(into: &effects)
    }

    private mutating func notifyOfNewerData(into effects: inout [Effect]) {
        if refreshLoad != nil { changes.isNewerThanLoad = true }
        let hadNewer = changes.hasNewer
        changes.isNotified = true
        showNewerData(after: hadNewer, into: &effects)
    }

    /// Records how many arrivals are held back, and shows this to the client.
    mutating func hold(_ count: Int, into effects: inout [Effect]) {
        guard count != Int(changes.heldCount) else { return }
        let hadNewer = changes.hasNewer
        changes.hold(count)
        watchArrivals()
        guard changes.hasNewer else {
            effects.append(.showNewer(false))
            return showNewerCount(into: &effects)
        }
        showNewerData(after: hadNewer, into: &effects)
    }

    private func showNewerData(after hadNewer: Bool, into effects: inout [Effect]) {
        if !hadNewer { effects.append(.showNewer(true)) }
        showNewerCount(into: &effects)
        if !hadNewer { announce(.newer, into: &effects) }
    }

    private func showNewerCount(into effects: inout [Effect]) {
        if let newerCount { effects.append(.showNewerCount(newerCount)) }
    }
}
