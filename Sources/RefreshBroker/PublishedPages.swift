internal import RefreshProtocol
internal import Synchronization

/// A change of the cached pages. `PublishedPages` applies it to its copy.
enum CachedPagesChange: Sendable {
    case stored(CachedAnswer.CachedPage, RequestKey, feed: Int)
    case removed(RequestKey)
    case removedAll
    /// The feed with this number has newer data.
    case feedChanged(Int, CachedAnswer.Change)
}

/// A copy of the broker's cached pages that any thread may read. A look-up in this copy needs
/// neither the broker's thread nor a wakeup. Only the broker's thread changes the copy.
final class PublishedPages: Sendable {
    struct Feed: Hashable, Sendable {
        /// The feed's number in the machine.
        let number: Int
        /// Whether all clients share the same answers.
        let isShared: Bool
    }

    /// The look-ups that found a page, since the machine last counted them.
    struct LookUps: Sendable {
        var keys: Set<RequestKey> = []
        var hits: [String: CacheHits] = [:]
    }

    private struct State: Sendable {
        var feeds: [String: Feed] = [:]
        var pages: [RequestKey: (feed: Int, page: CachedAnswer.CachedPage)] = [:]
        var changes: [Int: CachedAnswer.Change] = [:]
        var lookUps = LookUps()
        /// For each feed, the number of changes that the broker's thread has not handled yet. The
        /// pages of such a feed may be outdated.
        var pendingChanges: [String: Int] = [:]
        /// The number of plans that the broker's thread has not applied yet.
        var pendingPlans = 0
    }

    private let state = Mutex(State())

    /// Returns the cached page for the request, whether it is fresh or stale; nil if there is none,
    /// or if a change of the feed or another plan waits for the broker's thread. `now` is called
    /// after the pages have been locked, so that no change of a page is later.
    func lookUp(_ request: LoadRequest, at now: () -> Instant) -> FoundPage? {
        state.withLock { state in
            guard let feed = state.feeds[request.feed], state.pendingPlans == 0,
                state.pendingChanges[request.feed] == nil
            else { return nil }
            var request = request
            if feed.isShared { request.subject = nil }
            let key = RequestKey(request)
            guard let entry = state.pages[key] else { return nil }
            let now = now()
            var kept = entry.page
            if let change = state.changes[entry.feed] { kept.apply(change) }
            guard let use = kept.use(accepting: .any, isRefresh: request.kind == .refresh, at: now)
            else { return nil }
            state.lookUps.keys.insert(key)
            state.lookUps.hits[request.feed, default: CacheHits()].record(use)
            return FoundPage(page: kept.page, ageMs: kept.age(at: now), isFresh: use != .stale)
        }
    }

    /// Records that a change of the feed waits for the broker's thread. It must be called before
    /// the change is posted to that thread.
    func beginChange(of feed: String) {
        state.withLock { $0.pendingChanges[feed, default: 0] += 1 }
    }

    /// Records that the broker's thread has handled the change, and has published its effects.
    func endChange(of feed: String) {
        state.withLock { state in
            let count = state.pendingChanges[feed, default: 0] - 1
            state.pendingChanges[feed] = count > 0 ? count : nil
        }
    }

    /// Records that a plan waits for the broker's thread, as `beginChange` does for a change.
    func beginPlan() { state.withLock { $0.pendingPlans += 1 } }

    func endPlan() { state.withLock { $0.pendingPlans = max(0, $0.pendingPlans - 1) } }

    /// Applies the changes of the machine's cache and the present feeds.
    func publish(_ changes: [CachedPagesChange], feeds: [String: Feed]? = nil) {
        state.withLock { state in
            if let feeds { state.feeds = feeds }
            for change in changes {
                switch change {
                case .stored(let page, let key, let feed): state.pages[key] = (feed, page)
                case .removed(let key): state.pages[key] = nil
                case .removedAll: state.pages = [:]
                case .feedChanged(let feed, let change): state.changes[feed] = change
                }
            }
        }
    }

    var hasLookUps: Bool { state.withLock { !$0.lookUps.hits.isEmpty } }

    /// Returns the look-ups that the machine has not counted, and removes them.
    func removeLookUps() -> LookUps {
        state.withLock { state in
            defer { state.lookUps = LookUps() }
            return state.lookUps
        }
    }

    /// The hits that the machine has not counted, by feed name.
    var uncountedHits: [String: CacheHits] { state.withLock { $0.lookUps.hits } }
}
