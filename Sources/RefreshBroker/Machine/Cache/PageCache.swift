internal import RefreshProtocol

/// The cache of answers of all feeds, limited by its size in bytes.
///
/// An expired entry is removed when it is accessed. If the cache needs space, it evicts the least
/// recently used entries. Source: docs/backends.md, "Cache" and "Cool-down".
struct PageCache: Sendable {
    /// The cached answer for a request.
    enum Hit: Hashable, Sendable {
        case fresh(Page)
        /// The last refresh was answered so recently that the cool-down is not over.
        case coolDown(Page)
        /// The page is stale. `wantsNew` states whether a call should replace the page. `wantsNew`
        /// is false if the last call for the request failed recently.
        case stale(Page, wantsNew: Bool)
        /// The last call failed recently.
        case failure(LoadFailure)
    }

    /// The longest lifetime that an answer can declare: one day, in milliseconds.
    static let lifetimeMsMax = 86_400_000

    private let bytesMax: Int
    private var entries: [CachedAnswer?] = []
    private var unused: [Int] = []
    private var slots: [RequestKey: Int] = [:]
    private var recency = RecencyList()
    /// For each list, the slots (indices in `entries`) of the pages that follow its first page.
    private var following = ListMembers<Int>()
    /// The last change of each feed, by feed number.
    private var changes: [Int: CachedAnswer.Change] = [:]
    /// The size of all entries in bytes.
    private(set) var bytes = 0
    /// The changes of the pages since they were last published; nil if they are not published.
    var unpublished: [CachedPagesChange]?

    init(bytesMax: Int) { self.bytesMax = max(0, bytesMax) }

    var count: Int { slots.count }

    /// The number of lists of which a page after the first one is cached.
    var listCount: Int { following.count }

    // MARK: - Lookup

    /// Returns a cached answer for a request. `pages` are the cached pages that the request
    /// accepts. A refresh never gets an answer that was requested before the feed changed.
    mutating func cachedAnswer(for key: RequestKey, accepting pages: KeptPages, at now: Instant)
        -> Hit?
    {
        guard !slots.isEmpty, let slot = slots[key] else { return nil }
        expire(slot, at: now)
        guard let entry = entries[slot] else { return nil }
        recency.touch(slot)
        let isRefresh = key.request.kind == .refresh
        if let kept = entry.page {
            switch kept.use(accepting: pages, isRefresh: isRefresh, at: now) {
            case .fresh: return .fresh(kept.page)
            case .coolDown: return .coolDown(kept.page)
            case .stale: return .stale(kept.page, wantsNew: entry.failure == nil)
            case nil: break
            }
        }
        return entry.failure.map { .failure($0.failure) }
    }

    /// The milliseconds since the cached page for `key` came from the backend; nil if there is
    /// none.
    func age(of key: RequestKey, at now: Instant) -> Int? {
        guard let slot = slots[key] else { return nil }
        return entries[slot]?.page?.age(at: now)
    }

    /// Records that the pages for these requests were used outside the machine.
    mutating func touch(_ keys: some Sequence<RequestKey>) {
        for key in keys { if let slot = slots[key] { recency.touch(slot) } }
    }

    /// Returns for how long the cache may still return `page` as the answer for `key`. Both times
    /// are 0 if the cache does not contain the page.
    func remainingLifetime(of page: Page, for key: RequestKey, at now: Instant)
        -> RemainingLifetime
    {
        guard let slot = slots[key], let entry = entries[slot], var kept = entry.page,
            kept.page == page
        else { return .over }
        if let change = changes[entry.feed] { kept.apply(change) }
        return RemainingLifetime(
            freshMs: Int(max(0, kept.freshUntil.milliseconds(since: now))),
            coolDownMs: Int(max(0, kept.coolDownUntil.milliseconds(since: now))),
            ageMs: Int(max(0, now.milliseconds(since: kept.storedAt))))
    }

    // MARK: - Storage

    /// Stores the page that a call returned, and replaces the earlier entry. A page of another node
    /// is stored only for what `remaining` states, and not longer than the policy permits.
    mutating func store(
        _ page: Page, for key: RequestKey, feed: Int, _ policy: FeedPolicy, call: CallID,
        remaining: RemainingLifetime? = nil, at now: Instant
    ) {
        if let slot = slots[key] { remove(slot) }
        let ageMs = min(max(0, remaining?.ageMs ?? 0), Self.lifetimeMsMax)
        let storedAt = now.advanced(byMilliseconds: -Double(ageMs))
        var kept = CachedAnswer.CachedPage(
            page: page, call: call, storedAt: storedAt, freshUntil: now, staleMs: 0,
            coolDownUntil: now)
        if let cache = policy.cache {
            let declaredMs = remaining?.freshMs ?? page.lifetimeMs ?? cache.lifetimeMs
            let lifetimeMs = min(max(0, declaredMs), Self.lifetimeMsMax)
            if lifetimeMs > 0 {
                kept = CachedAnswer.CachedPage(
                    page: page, call: call, storedAt: storedAt,
                    freshUntil: Self.instant(lifetimeMs, after: now),
                    staleMs: max(0, cache.staleMs), coolDownUntil: now)
            }
        }
        if key.request.kind == .refresh {
            let coolDownMs = min(policy.coolDownMs, remaining?.coolDownMs ?? policy.coolDownMs)
            kept.coolDownUntil = Self.instant(coolDownMs, after: now)
        }
        if let change = changes[feed] { kept.apply(change) }
        guard !kept.hasExpired(at: now) else { return }
        insert(CachedAnswer(key: key, feed: feed, page: kept, failure: nil))
    }

    /// Stores the failure of a call. A cached page is kept.
    mutating func store(
        _ failure: LoadFailure, for key: RequestKey, feed: Int, _ policy: FeedPolicy,
        call: CallID, at now: Instant
    ) {
        guard let failureMs = policy.cache?.failureMs, failureMs > 0 else { return }
        var entry = CachedAnswer(key: key, feed: feed, page: nil, failure: nil)
        if let slot = slots[key] {
            entry.page = entries[slot]?.page
            remove(slot)
        }
        entry.failure = .init(
            failure: failure, call: call, until: Self.instant(failureMs, after: now))
        insert(entry)
    }

    /// Records that a feed has newer data. The feed's pages become stale and its failures expire.
    /// The same applies to the results of calls that are running now. `lastCall` is the last call
    /// that started.
    mutating func recordChange(ofFeed: Int, lastCall: CallID, at now: Instant) {
        let change = CachedAnswer.Change(at: now, lastCall: lastCall)
        changes[ofFeed] = change
        unpublished?.append(.feedChanged(ofFeed, change))
    }

    /// Removes the list whose first page `request` requests: the pages that follow the first page,
    /// and the first page of a refresh.
    mutating func removeList(of request: LoadRequest) {
        for slot in following.removeAll(of: request) { remove(slot) }
        guard request.kind == .more else { return }
        var refresh = request
        refresh.kind = .refresh
        if let slot = slots[RequestKey(refresh)] { remove(slot) }
    }

    /// Removes all entries of a feed.
    mutating func removeAll(ofFeed feed: Int) {
        for slot in entries.indices where entries[slot]?.feed == feed { remove(slot) }
    }

    mutating func removeAll() {
        entries = []
        unused = []
        slots = [:]
        recency = RecencyList()
        following = ListMembers()
        bytes = 0
        unpublished?.append(.removedAll)
    }

    // MARK: - Slots

    private static func instant(_ milliseconds: Int, after now: Instant) -> Instant {
        now.advanced(byMilliseconds: Double(max(0, milliseconds)))
    }

    /// Applies the last change of the feed and the present time to an entry. Removes the entry if
    /// it has expired.
    private mutating func expire(_ slot: Int, at now: Instant) {
        guard let before = entries[slot] else { return }
        var entry = before
        if let change = changes[entry.feed] {
            entry.page?.apply(change)
            entry.failure?.apply(change)
        }
        if entry.page?.hasExpired(at: now) == true { entry.page = nil }
        if let failure = entry.failure, failure.until <= now { entry.failure = nil }
        let hasPage = entry.page != nil
        let hasFailure = entry.failure != nil
        guard hasPage || hasFailure else { return remove(slot) }
        if hasPage != (before.page != nil) || hasFailure != (before.failure != nil) {
            bytes += entry.bytes - before.bytes
        }
        entries[slot] = entry
        if let page = entry.page {
            guard page.isOutdated != before.page?.isOutdated else { return }
            unpublished?.append(.stored(page, entry.key, feed: entry.feed))
        } else if before.page != nil {
            unpublished?.append(.removed(entry.key))
        }
    }

    private mutating func insert(_ entry: CachedAnswer) {
        let size = entry.bytes
        guard size <= bytesMax else { return }
        while bytes > bytesMax - size, let oldest = recency.oldest { remove(oldest) }
        let slot = unused.popLast() ?? entries.count
        if slot == entries.count { entries.append(entry) } else { entries[slot] = entry }
        slots[entry.key] = slot
        recency.insert(slot)
        following.insert(slot, of: entry.key.request)
        bytes += size
        if let page = entry.page {
            unpublished?.append(.stored(page, entry.key, feed: entry.feed))
        }
    }

    private mutating func remove(_ slot: Int) {
        guard let entry = entries[slot] else { return }
        bytes -= entry.bytes
        slots[entry.key] = nil
        entries[slot] = nil
        recency.remove(slot)
        following.remove(slot, of: entry.key.request)
        unused.append(slot)
        unpublished?.append(.removed(entry.key))
    }
}

extension RemainingLifetime {
    /// The lifetime of a page that must not be cached.
    package static var over: RemainingLifetime { RemainingLifetime(freshMs: 0, coolDownMs: 0) }
}
