package import RefreshProtocol

/// The outcome of a load, with the parts of the answer that paging needs.
package struct LoadEnding: Hashable, Sendable {
    package var result: LoadResult
    /// Items received.
    package var count: Int
    /// Whether more items follow; nil: derived from `count`.
    package var more: Bool?
    package var cursor: String?
    /// The received items that were not in the list already.
    package var kept: Int

    /// `kept`: nil means all items.
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
