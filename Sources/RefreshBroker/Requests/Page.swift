package import RefreshProtocol

/// A backend's answer.
package struct Page: Hashable, Sendable, Codable {
    /// The limits of the JSON text of `items`, and of a backend's whole answer: at most 64 nested
    /// arrays and objects. A backend must not return items beyond them. The size of a whole answer
    /// is bounded elsewhere, so its strings need no separate limit.
    package static let jsonLimits = JSONLimits(depthMax: 64, stringBytesMax: .max)

    /// A well-formed JSON array as the backend sent it, from `[` to `]`.
    package var items: [UInt8]
    /// The number of elements of `items`.
    package var count: Int
    /// Whether more items follow. It is nil if the backend does not specify it. The engine then
    /// decides from the paging style, the cursor and `count`.
    package var more: Bool?
    @Bytewise package var cursor: String?
    /// The number of all items of the feed, if the backend knows it.
    package var total: Int?
    /// The lifetime of the page in the cache, in milliseconds, if the backend specifies it. 0
    /// disables caching.
    package var lifetimeMs: Int?
    /// The keys of the items; nil if the feed declares no `itemKey`.
    package var itemKeys: ItemKeys?
    /// The pages that this page consists of, if it is the answer to a series; nil for a page of the
    /// backend.
    package var parts: Parts?

    /// The pages of an answer to a series.
    package struct Parts: Hashable, Sendable, Codable {
        package var pages: Int
        /// The number of items of the last page.
        package var lastCount: Int
        /// The number of pages of the feed before the first page.
        package var skipped: Int

        package init(pages: Int, lastCount: Int, skipped: Int) {
            self.pages = pages
            self.lastCount = lastCount
            self.skipped = skipped
        }
    }

    package init(
        items: [UInt8], count: Int, more: Bool? = nil, cursor: String? = nil, total: Int? = nil,
        lifetimeMs: Int? = nil
    ) {
        self.items = items
        self.count = count
        self.more = more
        self.cursor = cursor
        self.total = total
        self.lifetimeMs = lifetimeMs
    }
}
