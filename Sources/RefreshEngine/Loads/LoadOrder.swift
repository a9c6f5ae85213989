package import RefreshProtocol

/// The outcome of a load, with the parts of the answer that paging needs.
package struct LoadEnding: Hashable, Sendable {
    package var result: LoadResult
    /// The number of received items.
    package var count: Int
    /// Whether more items follow. If it is nil, this is derived from `count`.
    package var more: Bool?
    package var cursor: String?
    /// The number of received items that were not in the list already.
    package var kept: Int

    /// If `kept` is nil, all items were new.
    package init(
        _ result: LoadResult, count: Int = 0, more: Bool? = nil, cursor: String? = nil,
        kept: Int? = nil
    ) {
        self.result = result
        self.count = count
        self.more = more
        self.cursor = cursor
        self.kept = kept ?? count
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
