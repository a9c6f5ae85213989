package import RefreshBroker
package import RefreshProtocol

/// The newest patches of a loop. Sessions with equal lists receive equal patches, so a patch is
/// made once for all of them. Only the loop's thread uses the cache.
package final class PatchCache {
    /// The most patches that the cache keeps.
    static let entriesMax = 64
    /// The most bytes of all patches in the cache. A larger patch is kept alone, until the next one
    /// is made.
    static let bytesMax = 4_194_304

    private struct Key: Hashable {
        let old: UInt64
        let oldCount: Int
        let new: UInt64
        let newCount: Int
    }

    /// The runs of a patch; nil if a patch would not be small enough.
    private var entries: [Key: [UInt8]?] = [:]
    /// The keys of `entries`. The patch that has not been used for the longest time is first.
    private var order: [Key] = []
    private(set) var bytes = 0
    /// How many patches were made, and not found in the cache.
    private(set) var madeCount = 0

    package init() {}

    var count: Int { entries.count }

    /// Returns the runs that make the items of `page` from the list `old`. Returns nil if a patch
    /// would not be small enough. `list` is the list of the page's items.
    package func runs(
        from old: HashedItems, to page: Page, _ list: HashedItems, keyAt pointer: JSONPointer
    ) -> [UInt8]? {
        let key = Key(
            old: old.digest, oldCount: old.count, new: list.digest, newCount: list.count)
        if let known = entries[key] {
            if order.last != key, let position = order.firstIndex(of: key) {
                order.append(order.remove(at: position))
            }
            return known
        }
        let made = PatchText.runs(from: old, to: page, keyAt: pointer)
        madeCount += 1
        let size = made?.count ?? 0
        while let oldest = order.first,
            order.count >= Self.entriesMax || bytes + size > Self.bytesMax
        {
            order.removeFirst()
            bytes -= (entries.removeValue(forKey: oldest) ?? nil)?.count ?? 0
        }
        entries[key] = .some(made)
        order.append(key)
        bytes += size
        return made
    }
}
