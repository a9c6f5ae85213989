import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// Handles events of loads from the broker, and changes of feeds.
extension Conversation {
    mutating func handleLoadEvent(_ load: LoadID, _ news: LoadEvent, at now: Instant) {
        switch news {
        case .ended(let outcome): handleLoadEnd(load, outcome, at: now)
        case .progressed(let progress):
            guard let (kind, view) = resolveRunningLoad(load) else { return }
            outbox.appendProgress(
                ServerText.loadingProgress(load, kind, progress, view: view),
                of: load)
        case .retrying(let attempt, let afterMs, let failure):
            guard let (kind, view) = resolveRunningLoad(load) else { return }
            outbox.appendProgress(
                ServerText.loadingRetries(
                    load, kind, attempt: attempt, afterMs: afterMs, failure, view: view),
                of: load)
        }
    }

    private mutating func handleLoadEnd(
        _ load: LoadID, _ outcome: LoadOutcome, at now: Instant
    ) {
        guard let index = viewIndex(generation: load.generation) else {
            if outcome.isAnswer { services.metrics.recordStaleLoad() }
            return
        }
        var cut: DeduplicatedPage?
        if case .page(let page) = outcome, page.itemKeys != nil, let feed = views[index].feed,
            let kind = views[index].engine.kind(ofRunning: load)
        {
            cut = feed.shownItems.deduplicated(page, of: kind) {
                services.feed(named: feed.name)?.itemKey
            }
        }
        applyEvent(
            .loadEnded(load, LoadEnding(outcome, removed: cut?.removed ?? 0)),
            toViewAt: index, because: .broker(outcome, cut), at: now)
    }

    /// Returns the kind and the view of a running load. If the load has ended, counts it as stale
    /// and returns nil.
    private func resolveRunningLoad(_ load: LoadID) -> (LoadKind, ViewID)? {
        guard let index = viewIndex(generation: load.generation),
            let kind = views[index].engine.kind(ofRunning: load)
        else {
            services.metrics.recordStaleLoad()
            return nil
        }
        return (kind, views[index].id)
    }

    /// Records that the list of a view has ended because its cursor does not advance. The stall of
    /// a feed is also logged for the operator. A client that is its own backend must handle the
    /// stall itself.
    func recordStall(ofViewAt index: Int, at now: Instant) {
        services.metrics.recordStalledCursor()
        guard let feed = views[index].feed, services.recordStall(at: now) else { return }
        services.onStalledCursor?(feed.name, name)
    }

    func hasViews(of feed: String) -> Bool { views.contains { $0.feed?.name == feed } }

    /// Notifies the views that show the feed.
    mutating func handleFeedChange(_ feed: String, at now: Instant) {
        for index in views.indices where views[index].feed?.name == feed {
            applyEvent(.feedChanged, toViewAt: index, because: .feed, at: now)
        }
    }
}
