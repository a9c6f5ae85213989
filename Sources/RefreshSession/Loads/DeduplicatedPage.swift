import RefreshBroker

/// The part of a page without the items that the view has already shown.
struct DeduplicatedPage: Hashable, Codable {
    /// The ranges of the remaining items in the page's bytes. Ranges of adjacent items are merged.
    /// Nil if all items remain.
    let kept: [Range<Int>]?
    /// How many items were removed.
    let removed: Int
    /// The key hashes of the remaining items, in their order.
    let hashes: [UInt64]
    /// The number of bytes of the part that is left, as it is sent to the client.
    let byteCount: Int
}
