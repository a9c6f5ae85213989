import RefreshBroker
import RefreshProtocol

/// The items that a view has shown since its last refresh: the hashes of their keys, the oldest
/// first.
///
/// Eight bytes a key. Pages are rare, so what is needed to look keys up is built when one comes.
struct ShownItems {
    private(set) var hashes: [UInt64]
    /// What they were made with, if it is not what the pages' were: the list was begun on a daemon
    /// with another key, and goes on under that until a refresh begins a new one. Nil: it is.
    private(set) var foreignHash: SipHash?

    /// Those that were shown already, the oldest first.
    init(_ hashes: [UInt64] = [], foreignHash: SipHash? = nil) {
        self.hashes = hashes
        self.foreignHash = foreignHash
    }

    /// What of the page is new to the view; nil if its items have no keys. `pointer`: where in an
    /// item its key stands; asked for only where hashes have to be made anew.
    func cut(
        _ page: Page, of kind: LoadKind, keyAt pointer: () -> JSONPointer?
    ) -> ItemCut? {
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
            return ItemCut(kept: nil, removed: 0, hashes: new, byteCount: page.items.count)
        }
        return ItemCut(
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

    /// What is left of a page goes to the client; at most `most` keys are remembered. How many were
    /// forgotten for that.
    mutating func note(_ cut: ItemCut, of kind: LoadKind, most: Int) -> Int {
        if kind == .refresh { removeAll() }
        hashes += cut.hashes
        let excess = max(0, hashes.count - most)
        hashes.removeFirst(excess)
        return excess
    }

    /// The list is empty.
    mutating func removeAll() { self = ShownItems() }
}
