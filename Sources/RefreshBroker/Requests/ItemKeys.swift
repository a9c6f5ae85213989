/// Which items of a page are which: where each stands, and a hash of its key.
package struct ItemKeys: Hashable, Sendable, Codable {
    /// Where each item stands in the page's bytes.
    package var elements: [Range<Int>]
    /// Of the JSON text of each item's key, in the same order; nil where an item has none. Only
    /// hashes under one key can be compared.
    package var hashes: [UInt64?]

    package init(elements: [Range<Int>], hashes: [UInt64?]) {
        self.elements = elements
        self.hashes = hashes
    }
}
