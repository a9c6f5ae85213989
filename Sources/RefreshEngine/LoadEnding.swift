package import RefreshProtocol

/// How a backend ended a load, and what paging needs to know of the answer.
package struct LoadEnding: Hashable, Sendable {
    package var result: LoadResult
    /// Items received.
    package var count: Int
    /// Whether more follow; nil: decided by `count`.
    package var more: Bool?
    package var cursor: String?
    /// Those of them that the list did not have already.
    package var kept: Int

    /// `kept`: nil: all of them.
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
