package import RefreshProtocol

/// The outcome of a load, with the parts of the answer that paging needs.
package struct LoadEnding: Hashable, Sendable {
    package var result: LoadResult
    /// The number of received items.
    package var count: Int
    /// Whether more items follow. If it is nil, `count` decides.
    package var more: Bool?
    package var cursor: String?
    /// The number of received items that were not in the list already.
    package var kept: Int
    /// The number of received pages.
    package var pages = 1
    /// The number of received items of the last page.
    package var lastCount: Int
    /// The number of pages of the feed before the first received page, if the load is a refresh.
    package var skipped = 0
    /// The number of items of the feed, if the answer has it.
    package var total: Int?

    /// Creates an answer with one page. If `kept` is nil, all items were new.
    package init(
        _ result: LoadResult, count: Int = 0, more: Bool? = nil, cursor: String? = nil,
        kept: Int? = nil
    ) {
        self.result = result
        self.count = count
        self.more = more
        self.cursor = cursor
        self.kept = kept ?? count
        self.lastCount = count
    }
}

/// A load that the engine requests, with its purpose and its page. Source: docs/protocol.md,
/// "load".
package struct LoadOrder: Hashable, Sendable {
    package var id: LoadID
    package var kind: LoadKind
    package var trigger: LoadTrigger
    package var cause: Cause
    package var page: Int
    /// The offset of the first requested item, in the numbering of the paging style.
    package var offset: Int
    /// The number of requested items.
    package var size: Int
    package var cursor: String?
    /// The attempt number: 1, plus one for each retry.
    package var attempt: Int
    /// The number of milliseconds after which the load ends as timed out.
    package var deadlineMs: Int
    /// The number of consecutive requested pages, each of `size` items.
    package var pages: Int
    /// The number of pages of the feed before the first requested page, if the load is a refresh.
    package var skipped: Int

    /// Whether the load is a refresh at depth: it requests several pages, or skips the first pages
    /// of the feed.
    package var isAtDepth: Bool { pages > 1 || skipped > 0 }

    package var source = Source.backend

    /// Where the items of a load come from.
    package enum Source: Hashable, Sendable {
        /// The backend, or the cache in its place.
        case backend
        /// Only the cache. The order is a look-up and not a load yet. Its answer is the event
        /// `lookUpEnded`.
        case lookUp
        /// The cache has answered the look-up of this identity, and the load ends at once.
        case cached
    }
}

/// A first page that a look-up has found in the cache.
package struct CachedEnding: Hashable, Sendable {
    package var ending: LoadEnding
    /// Milliseconds since the page came from the backend.
    package var ageMs: UInt32
    /// Whether the page is fresh, so that the cache would answer every request for it.
    package var isFresh: Bool

    package init(_ ending: LoadEnding, ageMs: UInt32, isFresh: Bool) {
        self.ending = ending
        self.ageMs = ageMs
        self.isFresh = isFresh
    }
}

/// Whether a requested load may begin.
package enum LoadStart: Hashable, Sendable {
    /// The load may begin with this identity.
    case now(LoadID)
    /// The load begins after the other edge's load has ended.
    case later
    /// The load must not begin, because the other edge's load takes precedence, or because the
    /// request is not permitted.
    case never
}
