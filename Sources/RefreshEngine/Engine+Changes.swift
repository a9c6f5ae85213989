package import RefreshProtocol

/// The feed has newer data: what the view makes of it.
///
/// A silent refresh runs beside the refresh machine, which stays as it is: the load is the
/// engine's, and what is pulled meanwhile takes it over. Source: docs/protocol.md, "Changes".
extension Engine {
    /// The load of a refresh that is not seen.
    package var silentLoad: LoadID? {
        changes.silentLoad == 0
            ? nil : LoadID(generation: generation, number: changes.silentLoad)
    }

    /// The refresh load in flight, seen or not.
    package var refreshLoad: LoadID? { refresh.load ?? silentLoad }

    /// What a load that is in flight is for; nil if it is not.
    package func kind(ofRunning load: LoadID) -> LoadKind? {
        if load == refreshLoad { return .refresh }
        return load == loadMore.load ? .more : nil
    }

    mutating func feedChanged(at now: Instant, into effects: inout [Effect]) {
        guard let options = options.refresh else { return }
        switch options.changes {
        case .ignore: break
        case .cue: tellNewer(into: &effects)
        case .silent, .visible: changes.isPending = true
        }
    }

    /// A change waits: its refresh begins once nothing is in its way.
    mutating func followChange(at now: Instant, into effects: inout [Effect]) {
        let policy = options.refresh?.changes ?? .ignore
        guard policy == .silent || policy == .visible, refresh != .disabled else {
            // The options, or the edge, are others than when it came.
            changes.isPending = false
            if policy != .ignore { tellNewer(into: &effects) }
            return
        }
        guard refresh == .idle, silentLoad == nil, loadMore.load == nil, loadMore != .waiting,
            !gesture.isFingerDown
        else { return }
        guard policy == .silent else {
            return refreshAsked(.changed, animated: true, at: now, into: &effects)
        }
        refreshCause = .changed
        let load = nextLoad
        orderRefresh(load, trigger: .manual, at: now, into: &effects)
        changes.silentLoad = load.number
    }

    /// The refresh that nobody saw has its answer.
    mutating func silentRefreshEnded(
        _ ending: LoadEnding, at now: Instant, into effects: inout [Effect]
    ) {
        if ending.result.isAccepted {
            paging.accept(ending, of: .refresh, asked: Int(refreshSize))
            listReplaced(at: now, into: &effects)
        }
        endSilently(ending.result, at: now, into: &effects)
        resumeMore(at: now, into: &effects)
    }

    mutating func endSilently(
        _ result: LoadResult, at now: Instant, into effects: inout [Effect]
    ) {
        guard let load = silentLoad else { return }
        changes.silentLoad = 0
        deadlines.refreshLoad = .never
        hasRefreshFailed = result == .failed || result == .timedOut
        if !hasRefreshFailed { refreshAttempt = 0 }
        if result.isAccepted { lastUpdated = now }
        effects.append(.endLoad(load, .refresh, result))
        noteChange(after: result, into: &effects)
    }

    /// A refresh load has ended so: it has brought the change that it was for, or the client is to
    /// know.
    mutating func noteChange(after result: LoadResult, into effects: inout [Effect]) {
        let (isAwaited, isOutrun) = (changes.isAwaited, changes.isNewerThanLoad)
        changes.refreshEnded()
        if !result.isAccepted {
            if isAwaited { tellNewer(into: &effects) }
        } else if changes.isTold, !isOutrun {
            changes.isTold = false
            effects.append(.showNewer(false))
        }
    }

    mutating func forgetChanges(into effects: inout [Effect]) {
        changes.isPending = false
        guard changes.isTold else { return }
        changes.isTold = false
        effects.append(.showNewer(false))
    }

    private mutating func tellNewer(into effects: inout [Effect]) {
        if refreshLoad != nil { changes.isNewerThanLoad = true }
        guard !changes.isTold else { return }
        changes.isTold = true
        effects.append(.showNewer(true))
        announce(.newer, into: &effects)
    }
}
