internal import RefreshProtocol

/// A cache entry for one request: a page, a failure, or both.
struct CachedAnswer: Sendable {
    /// A page, and the times until which it may be returned.
    struct CachedPage: Sendable {
        let page: Page
        /// The number of the call that returned the page. Calls are numbered in the order of their
        /// start.
        let call: CallID
        /// The time at which the page came from the backend.
        let storedAt: Instant
        var freshUntil: Instant
        let staleMs: Int
        /// The end of the cool-down. During the cool-down, any equal refresh gets this page.
        var coolDownUntil: Instant
        /// Whether the feed has changed after the page was requested.
        var isOutdated = false

        var staleUntil: Instant { freshUntil.advanced(byMilliseconds: Double(staleMs)) }

        /// How the page may be used for a request that accepts `pages`; nil if it may not be used.
        /// A refresh never gets a stale page that was requested before the feed changed.
        func use(accepting pages: KeptPages, isRefresh: Bool, at now: Instant) -> PageUse? {
            if pages != .none, now < freshUntil { return .fresh }
            if now < coolDownUntil { return .coolDown }
            return pages == .any && now < staleUntil && !(isRefresh && isOutdated) ? .stale : nil
        }

        /// The milliseconds since the page came from the backend.
        func age(at now: Instant) -> Int { Int(max(0, now.milliseconds(since: storedAt))) }

        func hasExpired(at now: Instant) -> Bool {
            freshUntil <= now && staleUntil <= now && coolDownUntil <= now
        }

        /// If the page was requested before the change, marks it as stale from the time of the
        /// change.
        mutating func apply(_ change: Change) {
            guard call.number <= change.lastCall.number else { return }
            isOutdated = true
            freshUntil = min(freshUntil, change.at)
            coolDownUntil = min(coolDownUntil, change.at)
        }
    }

    /// How a cached page is used for a request.
    enum PageUse {
        case fresh
        /// The last refresh was answered so recently that the cool-down is not over.
        case coolDown
        case stale
    }

    /// The event that a feed has newer data.
    struct Change: Sendable {
        let at: Instant
        /// The last call of any feed that started before the change.
        let lastCall: CallID
    }

    struct CachedFailure: Sendable {
        let failure: LoadFailure
        /// The number of the call that failed.
        let call: CallID
        var until: Instant

        /// If the failed call started before the change, the failure expires at the time of the
        /// change, because the backend may succeed now.
        mutating func apply(_ change: Change) {
            guard call.number <= change.lastCall.number else { return }
            until = min(until, change.at)
        }
    }

    let key: RequestKey
    let feed: Int
    var page: CachedPage?
    var failure: CachedFailure?

    /// The approximate size of the entry in bytes.
    var bytes: Int {
        let request = key.request
        var bytes = 512 + request.feed.utf8.count + (request.cursor?.utf8.count ?? 0)
        bytes += request.subject?.utf8.count ?? 0
        for parameter in request.parameters {
            bytes += 64 + parameter.name.utf8.count
            if case .text(let text) = parameter.value { bytes += text.utf8.count }
        }
        for header in request.headers {
            bytes += 32 + header.name.utf8.count + header.value.utf8.count
        }
        bytes += failure?.failure.message.utf8.count ?? 0
        if let page = page?.page {
            bytes += page.items.count + (page.cursor?.utf8.count ?? 0)
            bytes += (page.itemKeys?.elements.count ?? 0) * 16
            bytes += (page.itemKeys?.hashes.count ?? 0) * 16
            bytes += (page.itemKeys?.list?.count ?? 0) * 16
        }
        return bytes
    }
}
