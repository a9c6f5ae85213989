/// The identities of a page's items: the range of each, and a hash of its key.
package struct ItemKeys: Hashable, Sendable, Codable {
    /// The range of each item in the page's bytes.
    package var elements: [Range<Int>]
    /// The hash of the JSON text of each item's key, in the same order; nil if an item has no key.
    /// Only hashes made with the same secret key are comparable.
    package var hashes: [UInt64?]

    package init(elements: [Range<Int>], hashes: [UInt64?]) {
        self.elements = elements
        self.hashes = hashes
    }
}
