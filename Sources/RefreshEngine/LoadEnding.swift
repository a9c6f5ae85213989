package import RefreshProtocol

/// How a backend ended a load, and what paging needs to know of the answer.
package struct LoadEnding: Hashable, Sendable {
    package var result: LoadResult
    /// Items received.
    package var count: Int
    /// Whether more follow; nil: decided by `count`.
    package var more: Bool?
    package var cursor: String?

    package init(
        _ result: LoadResult, count: Int = 0, more: Bool? = nil, cursor: String? = nil
    ) {
        self.result = result
        self.count = count
        self.more = more
        self.cursor = cursor
    }
}
