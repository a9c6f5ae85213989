import RefreshEngine
import RefreshProtocol

/// Records the metrics of the session's loads: counts them, measures their times, and reports them
/// to the observer.
extension Conversation {
    mutating func recordLoadStart(
        of load: LoadID, _ kind: LoadKind, for view: ViewSlot, at now: Instant
    ) {
        services.metrics.loads.recordStart(feed: view.feed?.name)
        loadStartTimes.recordStart(of: load, at: now)
        observer?.report(.loadBegan(load, kind), view)
    }

    mutating func recordLoadEnd(
        of load: LoadID, _ kind: LoadKind, _ result: LoadResult, for view: ViewSlot, at now: Instant
    ) {
        services.metrics.loads.recordEnd(feed: view.feed?.name, result: result)
        let ms = loadStartTimes.recordEnd(of: load, at: now)
        if let ms, let feed = view.feed, result.isAccepted {
            services.metrics.loads.recordDuration(
                microseconds: Int64(ms * 1000), feed: feed.name)
        }
        observer?.report(.loadEnded(load, kind, result, ms: ms), view)
    }
}
