package import RefreshProtocol

/// A backend's answer.
package struct Page: Hashable, Sendable, Codable {
    /// A JSON array as the backend gave it, from `[` to `]`, known to be well formed.
    package var items: [UInt8]
    /// How many elements it has.
    package var count: Int
    /// Whether more follow; nil: decided by `count`.
    package var more: Bool?
    @Bytewise package var cursor: String?
    /// All items of the feed, where the backend knows.
    package var total: Int?
    /// Milliseconds for which it may be given again, where the backend says so; 0: not at all.
    package var lifetimeMs: Int?
    /// Nil unless the feed declares `itemKey`.
    package var itemKeys: ItemKeys?

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
