import RefreshBroker
import RefreshProtocol

/// The items that a view has shown since its last refresh: the hashes of their keys, oldest first.
///
/// Each key takes eight bytes. Pages are rare, so the lookup set is built only when a page arrives.
struct ItemDeduplicator {
    private(set) var hashes: [UInt64]
    /// The hash function of `hashes`, if it differs from that of the pages; nil if it is the same.
    /// They differ if the list began on a daemon with another key. The list then keeps that key
    /// until a refresh begins a new list.
    private(set) var foreignHash: SipHash?

    /// Creates it with the items that were shown already, oldest first.
    init(_ hashes: [UInt64] = [], foreignHash: SipHash? = nil) {
        self.hashes = hashes
        self.foreignHash = foreignHash
    }

    /// Returns what is left of the page after removing items that the view has; nil if its items
    /// have no keys. `pointer` returns where the key is in an item; it is called only if hashes
    /// must be recomputed.
    func deduplicated(
        _ page: Page, of kind: LoadKind, keyAt pointer: () -> JSONPointer?
    ) -> DeduplicatedPage? {
        guard let keys = keys(of: page, kind, pointer), keys.elements.count == keys.hashes.count,
            (keys.elements.last?.upperBound ?? 0) < page.items.count
        else { return nil }
        var known = Set<UInt64>(minimumCapacity: keys.hashes.count)
        // A refresh begins a new list.
        if kind == .more { known.formUnion(hashes) }
        var kept: [Range<Int>] = []
        var new: [UInt64] = []
        new.reserveCapacity(keys.hashes.count)
        var removed = 0
        var follows = false
        for (element, hash) in zip(keys.elements, keys.hashes) {
            if let hash {
                guard known.insert(hash).inserted else {
                    removed += 1
                    follows = false
                    continue
                }
                new.append(hash)
            }
            if follows, let last = kept.last {
                kept[kept.count - 1] = last.lowerBound..<element.upperBound
            } else {
                kept.append(element)
            }
            follows = true
        }
        guard removed > 0 else {
            return DeduplicatedPage(kept: nil, removed: 0, hashes: new, byteCount: page.items.count)
        }
        return DeduplicatedPage(
            kept: kept, removed: removed, hashes: new,
            byteCount: kept.reduce(2) { $0 + $1.count + 1 })
    }

    private func keys(
        of page: Page, _ kind: LoadKind, _ pointer: () -> JSONPointer?
    ) -> ItemKeys? {
        guard kind == .more, let foreignHash, page.itemKeys != nil, let pointer = pointer() else {
            return page.itemKeys
        }
        return ItemKeys(of: page, at: pointer, hashedBy: foreignHash)
    }

    /// Records what is left of a page that goes to the client. At most `most` keys are remembered.
    /// Returns how many keys were forgotten for that.
    mutating func record(_ cut: DeduplicatedPage, of kind: LoadKind, most: Int) -> Int {
        if kind == .refresh { removeAll() }
        hashes += cut.hashes
        let excess = max(0, hashes.count - most)
        hashes.removeFirst(excess)
        return excess
    }

    /// Forgets all items: the list is empty.
    mutating func removeAll() { self = ItemDeduplicator() }
}
