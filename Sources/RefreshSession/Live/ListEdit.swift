import RefreshBroker

/// An operation that waits for a view.
struct ReportedOperation: Hashable, Codable {
    var operation: ItemOperation
    /// Whether the report names the parameters of another query. The operation is then an update
    /// or a removal, and concerns only items that the view has.
    var isOfOtherQuery = false
    /// Whether the user of the client has made the change. An inserted item is then never held
    /// back.
    var isOwn = false
}

/// An arrival that is held back.
struct HeldItem: Hashable, Codable {
    /// The `insert` of the item.
    var operation: ItemOperation
    /// The hash of the key of the next item that the list shows; nil at its end.
    var next: UInt64?
}

/// Applies operations to the list that a client shows, and finds the operations that the client
/// must apply. Source: docs/protocol.md, "Live items".
///
/// The list is known by the hashes of its items only. Here the list begins at its refresh edge,
/// also if it is reversed. Keys are searched in the list itself, because a search needs less time
/// than an index of all keys unless there are very many operations.
///
/// The operations for the client do not depend on the pages that follow. So a page may be added
/// between two operations, and the client gets this page before the operations.
struct ListEdit: Hashable, Codable {
    /// What is known of the list.
    struct Rules: Hashable, Codable {
        /// Whether arrivals are held back.
        var holdsArrivals: Bool
        /// Whether the first item is the last of the array that the client keeps.
        var isReversed = false
        /// Whether the list begins with the first page of the feed.
        var beginsAtFirstPage = true
        /// Whether the feed has more items after the list.
        var hasMore: Bool
        /// Whether the next page is being loaded.
        var isLoadingMore = false
        /// Whether a page is found by the item before it, and not by its number or offset.
        var hasCursor = false
        /// The largest number of items of a list.
        var itemsMax = Int.max
    }

    /// Where an item goes.
    enum Target {
        /// Before the first item, at this position among the items that are held back.
        case arrival(Int)
        /// Before the item at this position. The place is that of the operation for the client.
        case shown(Int, ItemOperation.Place)
        /// Behind the items of the list, on a page that is not loaded.
        case later
        /// A place next to an item of which nothing is known.
        case unknown
    }

    /// The largest number of removals by the author that are remembered.
    private static let removalsMax = 32

    var rules: Rules
    var keys: [UInt64]
    var contents: [UInt64]
    var held: [HeldItem]
    /// The operations for the client, on the array that it keeps.
    var sent: [ItemOperation] = []
    /// By how many items the rest of the feed moves.
    var shift = 0
    /// Whether the latest operations have inserted or removed items, or have held them back.
    var isStructural = false
    /// Whether the last page had all the operations that were discarded because of it.
    private(set) var isCertain = true
    /// The operations that need the page that is being loaded, because it may have their items.
    var later: [ReportedOperation] = []
    /// The items that the client's own user has removed from a list without its first page. A
    /// report of the same removal follows.
    var removedByAuthor: [UInt64]
    /// The number of operations that were handled.
    var operationCount = 0
    /// The number of items of the client's array.
    var clientCount: Int

    /// The new list, in the order of the client's array. The keys are different, because no
    /// operation inserts a key that the list has.
    var list: HashedItems {
        rules.isReversed
            ? HashedItems(distinct: keys.reversed(), contents: contents.reversed())
            : HashedItems(distinct: keys, contents: contents)
    }

    /// The approximate number of bytes in memory.
    var heldBytes: Int {
        sent.reduce(2 * keys.count * MemoryLayout<UInt64>.stride) {
            $0 + $1.item.count + MemoryLayout<ItemOperation>.stride
        }
    }

    /// Returns nil if an operation needs an item that is not known. `list` is the array that the
    /// client keeps.
    static func applying(
        _ operations: [ReportedOperation], to list: HashedItems, held: [HeldItem],
        removedByAuthor: [UInt64] = [], by rules: Rules
    ) -> ListEdit? {
        var edit = ListEdit(list, held, removedByAuthor, rules)
        return edit.apply(operations, by: rules) ? edit : nil
    }

    private init(
        _ list: HashedItems, _ held: [HeldItem], _ removedByAuthor: [UInt64], _ rules: Rules
    ) {
        self.rules = rules
        self.held = held
        self.removedByAuthor = removedByAuthor
        clientCount = list.count
        keys = rules.isReversed ? list.keys.reversed() : list.keys
        contents = rules.isReversed ? list.contents.reversed() : list.contents
    }

    /// Applies further operations. Returns false if an operation needs an item that is not known.
    /// The value must not be used then.
    mutating func apply(_ operations: [ReportedOperation], by rules: Rules) -> Bool {
        self.rules = rules
        isStructural = false
        if !rules.holdsArrivals, !release() { return false }
        let waiting = later + operations
        later = []
        operationCount += operations.count
        for operation in waiting where !apply(operation) { return false }
        return keys.count <= rules.itemsMax
    }

    /// Adds the items of the next page whose key hashes are in `kept`. Returns false if the page
    /// does not fit what the operations have made of the list. The value must not be used then.
    mutating func append(_ page: HashedItems, kept: [UInt64]) -> Bool {
        let known = Set(keys + held.map(\.operation.key.hash))
        let new = Set(kept)
        // The client gets the page before the operations, and has these items by then.
        guard !sent.contains(where: { new.contains($0.key.hash) }) else { return false }
        let wasEmpty = keys.isEmpty
        for (key, content) in rules.isReversed
            ? Array(zip(page.keys, page.contents).reversed()) : Array(zip(page.keys, page.contents))
        {
            guard known.contains(key) != new.contains(key) else { return false }
            guard new.contains(key) else { continue }
            keys.append(key)
            contents.append(content)
        }
        if wasEmpty { for position in held.indices { held[position].next = keys.first } }
        clientCount += kept.count
        isCertain = later.removeContained(in: new, knowing: known, of: new)
        return true
    }

    /// Inserts the arrivals that are held back.
    mutating func release() -> Bool {
        let first = keys.first
        guard held.allSatisfy({ $0.next == first }) else { return false }
        // The arrivals were counted when they were held back.
        let wasStructural = isStructural
        defer { isStructural = wasStructural }
        for item in held.reversed() where !keys.contains(item.operation.key.hash) {
            insert(item.operation, at: 0, .start)
        }
        held = []
        return true
    }

    private mutating func apply(_ reported: ReportedOperation) -> Bool {
        let operation = reported.operation
        let hash = operation.key.hash
        let (shown, back) = (keys.firstIndex(of: hash), heldIndex(of: hash))
        let isUnknown = shown == nil && back == nil
        if isUnknown, isDone(reported) { return true }
        if waitsForPage(operation, isUnknown: isUnknown) {
            // Operations beside the same items of the list would be applied before it.
            guard !hasKnownPlace(operation) else { return false }
            later.append(reported)
            return true
        }
        if isUnknown, reported.isOfOtherQuery { return true }
        guard perform(reported, shown, back) else { return false }
        if reported.isOwn, shown != nil, !rules.beginsAtFirstPage, !keys.contains(hash) {
            removedByAuthor = removedByAuthor.suffix(Self.removalsMax - 1) + [hash]
        }
        return true
    }

    private mutating func perform(
        _ reported: ReportedOperation, _ shown: Int?, _ back: Int?
    ) -> Bool {
        let operation = reported.operation
        switch operation.kind {
        case .update: update(operation, shown, back)
        case .insert where shown != nil || back != nil && !reported.isOwn:
            update(operation, shown, back)
        case .insert where reported.isOwn: return insertOfAuthor(operation, back)
        case .insert: return insert(operation)
        case .remove:
            guard shown != nil || back != nil else { return rules.beginsAtFirstPage }
            remove(operation, shown, back)
            shift -= 1
        // A report has no such operation.
        case .refresh: break
        case .move:
            guard neighbour(of: operation) != operation.key.hash else { return true }
            return move(operation, shown, back)
        }
        return true
    }

    /// Whether the list no longer has an item because both the edit of the user and the report of
    /// this edit remove it, and one of them was handled before.
    private mutating func isDone(_ reported: ReportedOperation) -> Bool {
        guard !reported.isOwn else { return reported.operation.kind == .remove }
        guard reported.operation.kind == .remove || reported.operation.kind == .move,
            let position = removedByAuthor.firstIndex(of: reported.operation.key.hash)
        else { return false }
        removedByAuthor.remove(at: position)
        return true
    }

    /// Whether the operation needs the page that is being loaded. Operations on the same item keep
    /// their order.
    private func waitsForPage(_ operation: ItemOperation, isUnknown: Bool) -> Bool {
        guard rules.isLoadingMore else { return false }
        let (key, neighbour) = (operation.key.hash, neighbour(of: operation))
        guard !later.contains(where: { $0.operation.key.hash == key }) else { return true }
        // A place next to an item that waits for the page is not known yet.
        let isLater =
            later.contains { $0.operation.key.hash == neighbour } || isBeyond(operation)
        switch operation.kind {
        case .update, .remove, .refresh: return isUnknown
        case .insert: return isUnknown && isLater
        // An item that leaves the list moves the rest of a feed with numbered pages.
        case .move: return isLater && (isUnknown || rules.hasCursor)
        }
    }

    /// Whether the operation puts its item at a place in the list.
    private func hasKnownPlace(_ operation: ItemOperation) -> Bool {
        guard operation.kind == .insert || operation.kind == .move else { return false }
        let neighbour = neighbour(of: operation)
        return !isBeyond(operation)
            && !later.contains { $0.operation.key.hash == neighbour }
    }

    /// Whether the operation names a place that is not in the list.
    private func isBeyond(_ operation: ItemOperation) -> Bool {
        switch target(of: operation) {
        case .later, .unknown: true
        case .arrival, .shown: false
        }
    }

    func heldIndex(of key: UInt64) -> Int? {
        held.isEmpty ? nil : held.firstIndex { $0.operation.key.hash == key }
    }

    func neighbour(of operation: ItemOperation) -> UInt64? {
        switch operation.place {
        case .before(let key), .after(let key): key.hash
        case .start, .end, nil: nil
        }
    }

    /// The place in a list that begins at its refresh edge.
    func place(of operation: ItemOperation) -> ItemOperation.Place? {
        guard rules.isReversed else { return operation.place }
        switch operation.place {
        case .before(let key): return .after(key)
        case .after(let key): return .before(key)
        case .start, .end, nil: return operation.place
        }
    }

    func target(of operation: ItemOperation) -> Target {
        switch place(of: operation) {
        case .start: return .arrival(0)
        case .end: return rules.hasMore ? .later : .shown(keys.count, .end)
        case .before(let key):
            if let index = keys.firstIndex(of: key.hash) {
                guard index == 0 else { return .shown(index, .before(key)) }
                return .arrival((held.lastIndex { $0.next == key.hash } ?? -1) + 1)
            }
            return target(atHeld: key, after: false)
        case .after(let key):
            if let index = keys.firstIndex(of: key.hash) { return .shown(index + 1, .after(key)) }
            return target(atHeld: key, after: true)
        case nil: return .unknown
        }
    }

    private func target(atHeld key: ItemOperation.Key, after: Bool) -> Target {
        guard let index = heldIndex(of: key.hash) else {
            return rules.beginsAtFirstPage && rules.hasMore ? .later : .unknown
        }
        // The client does not know the key, so the item needs the first place.
        return held[index].next == keys.first ? .arrival(after ? index + 1 : index) : .unknown
    }
}
