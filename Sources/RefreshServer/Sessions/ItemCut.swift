import RefreshBroker

/// What is left of a page when the items that its view has shown already are taken out.
struct ItemCut: Hashable, Codable {
    /// Where the items that stay stand in the page's bytes, neighbours together; nil: all of them
    /// stay.
    let kept: [Range<Int>]?
    /// How many were taken out.
    let removed: Int
    /// The keys of those that stay, in their order.
    let hashes: [UInt64]
    /// Bytes that go to the client.
    let byteCount: Int
}
