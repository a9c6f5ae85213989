import RefreshBroker
import RefreshProtocol

/// The items that a view has shown since its last refresh: the hashes of their keys, oldest first.
///
/// Each key needs eight bytes. Pages are rare, so the set in which keys are searched is built only
/// when a page arrives.
struct ItemDeduplicator {
    private(set) var hashes: [UInt64]
    /// The hash function of `hashes`; nil if it is the same function with which the broker hashes
    /// the keys of pages. The functions differ if the list began on a daemon with another hash key.
    /// The list keeps its function until a refresh begins a new list.
    private(set) var foreignHash: SipHash?

    /// Creates a deduplicator with the hashes of the items that were already shown, oldest first.
    init(_ hashes: [UInt64] = [], foreignHash: SipHash? = nil) {
        self.hashes = hashes
        self.foreignHash = foreignHash
    }

    /// Returns the page without the items that the view has already shown. Returns nil if the
    /// page's items have no keys. `pointer` returns the location of the key in an item, and is
    /// called only if hashes must be recomputed.
    func deduplicated(
        _ page: Page, of kind: LoadKind, keyAt pointer: () -> JSONPointer?
    ) -> DeduplicatedPage? {
        guard let keys = keys(of: page, kind, pointer), keys.elements.count == keys.hashes.count,
            (keys.elements.last?.upperBound ?? 0) < page.items.count
        else { return nil }
        if kind == .refresh, let list = keys.list {
            // No key occurs twice in the page.
            return DeduplicatedPage(
                kept: nil, removed: 0, hashes: list.keys, byteCount: page.items.count)
        }
        var known = Set<UInt64>(minimumCapacity: keys.hashes.count)
        // A refresh begins a new list, so only the items of a further page are compared with the
        // shown items.
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
        // The list of the page stays that of the broker's hash function.
        return ItemKeys(of: page, at: pointer, hashedBy: foreignHash, hasList: false)
    }

    /// Records the items of a page that is sent to the client. At most the newest `most` keys are
    /// kept. Returns how many older keys were removed as a result.
    mutating func record(_ deduplicated: DeduplicatedPage, of kind: LoadKind, most: Int) -> Int {
        if kind == .refresh { removeAll() }
        if hashes.isEmpty {
            // The memory is shared with the page.
            hashes = deduplicated.hashes
        } else {
            hashes += deduplicated.hashes
        }
        let excess = max(0, hashes.count - most)
        hashes.removeFirst(excess)
        return excess
    }

    /// Replaces the items, because operations have changed the list.
    mutating func replaceAll(by hashes: [UInt64]) { self = ItemDeduplicator(hashes) }

    /// Removes all items, because the list is empty.
    mutating func removeAll() { self = ItemDeduplicator() }
}
