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
struct ListEdit {
    /// What is known of the list.
    struct Rules: Hashable {
        /// Whether arrivals are held back.
        var holdsArrivals: Bool
        /// Whether the first item is the last of the array that the client keeps.
        var isReversed = false
        /// Whether the list begins with the first page of the feed.
        var beginsAtFirstPage = true
        /// Whether the feed has more items after the list.
        var hasMore: Bool
        /// The largest number of items of a list.
        var itemsMax = Int.max
    }

    /// Where an item goes.
    private enum Target {
        /// Before the first item, at this position among the items that are held back.
        case arrival(Int)
        /// Before the item at this position. The place is that of the operation for the client.
        case shown(Int, ItemOperation.Place)
        /// Behind the items of the list, on a page that is not loaded.
        case later
        /// A place next to an item of which nothing is known.
        case unknown
    }

    private let rules: Rules
    private var keys: [UInt64]
    private var contents: [UInt64]
    private(set) var held: [HeldItem]
    /// The operations for the client, on the array that it keeps.
    private(set) var sent: [ItemOperation] = []
    /// By how many items the rest of the feed moves.
    private(set) var shift = 0
    /// Whether items of the list were inserted, removed, or held back.
    private(set) var isStructural = false

    /// The new list, in the order of the client's array. The keys are different, because no
    /// operation inserts a key that the list has.
    var list: HashedItems {
        rules.isReversed
            ? HashedItems(distinct: keys.reversed(), contents: contents.reversed())
            : HashedItems(distinct: keys, contents: contents)
    }

    /// Returns nil if an operation needs an item that is not known. `list` is the array that the
    /// client keeps.
    static func applying(
        _ operations: [ReportedOperation], to list: HashedItems, held: [HeldItem], by rules: Rules
    ) -> ListEdit? {
        var edit = ListEdit(list, held, rules)
        if !rules.holdsArrivals, !edit.release() { return nil }
        for operation in operations where !edit.apply(operation) { return nil }
        return edit.keys.count <= rules.itemsMax ? edit : nil
    }

    private init(_ list: HashedItems, _ held: [HeldItem], _ rules: Rules) {
        self.rules = rules
        self.held = held
        keys = rules.isReversed ? list.keys.reversed() : list.keys
        contents = rules.isReversed ? list.contents.reversed() : list.contents
    }

    /// Inserts the arrivals that are held back.
    private mutating func release() -> Bool {
        let first = keys.first
        guard held.allSatisfy({ $0.next == first }) else { return false }
        for item in held.reversed() { insert(item.operation, at: 0, .start) }
        held = []
        return true
    }

    private mutating func apply(_ reported: ReportedOperation) -> Bool {
        let operation = reported.operation
        let hash = operation.key.hash
        let (shown, back) = (keys.firstIndex(of: hash), heldIndex(of: hash))
        if reported.isOfOtherQuery, shown == nil, back == nil { return true }
        switch operation.kind {
        case .update: update(operation, shown, back)
        case .insert where shown != nil || back != nil && !reported.isOwn:
            update(operation, shown, back)
        case .insert where reported.isOwn: return insertOwn(operation, back)
        case .insert: return insert(operation)
        case .remove:
            guard shown != nil || back != nil else { return rules.beginsAtFirstPage }
            remove(operation, shown, back)
            shift -= 1
        // A report has no such operation.
        case .refresh: break
        case .move:
            guard neighbour(of: operation) != hash else { return true }
            return move(operation, shown, back)
        }
        return true
    }

    private func heldIndex(of key: UInt64) -> Int? {
        held.isEmpty ? nil : held.firstIndex { $0.operation.key.hash == key }
    }

    private func neighbour(of operation: ItemOperation) -> UInt64? {
        switch operation.place {
        case .before(let key), .after(let key): key.hash
        case .start, .end, nil: nil
        }
    }

    /// The place in a list that begins at its refresh edge.
    private func place(of operation: ItemOperation) -> ItemOperation.Place? {
        guard rules.isReversed else { return operation.place }
        switch operation.place {
        case .before(let key): return .after(key)
        case .after(let key): return .before(key)
        case .start, .end, nil: return operation.place
        }
    }

    private func target(of operation: ItemOperation) -> Target {
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

    // MARK: The operations

    private mutating func update(_ operation: ItemOperation, _ shown: Int?, _ back: Int?) {
        if let back {
            held[back].operation.item = operation.item
            held[back].operation.contentHash = operation.contentHash
        }
        guard let shown, contents[shown] != operation.contentHash else { return }
        contents[shown] = operation.contentHash
        send(operation, as: .update, nil)
    }

    private mutating func insert(_ operation: ItemOperation) -> Bool {
        switch target(of: operation) {
        case .arrival(let position) where rules.holdsArrivals || !rules.beginsAtFirstPage:
            held.insert(HeldItem(operation: operation, next: keys.first), at: position)
            isStructural = true
        case .arrival: insert(operation, at: 0, .start)
        case .shown(let index, let place): insert(operation, at: index, place)
        case .later: return true
        case .unknown: return false
        }
        shift += 1
        return true
    }

    /// Inserts an item of the client's own user. An item before the first one brings the arrivals
    /// that are held back with it, because their places are next to it.
    private mutating func insertOwn(_ operation: ItemOperation, _ back: Int?) -> Bool {
        if let back {
            held.remove(at: back)
            shift -= 1
        }
        guard case .arrival = target(of: operation) else { return insert(operation) }
        guard release() else { return false }
        guard case .arrival = target(of: operation) else { return insert(operation) }
        insert(operation, at: 0, .start)
        shift += 1
        return true
    }

    private mutating func insert(
        _ operation: ItemOperation, at index: Int, _ place: ItemOperation.Place
    ) {
        put(operation.key.hash, operation.contentHash, at: index, place)
        send(operation, as: .insert, place)
    }

    /// Puts an item into the list. Arrivals that are held back before the next item stay before
    /// the new one, if this was placed directly before that item.
    private mutating func put(
        _ key: UInt64, _ content: UInt64, at index: Int, _ place: ItemOperation.Place
    ) {
        if case .before(let next) = place {
            for position in held.indices where held[position].next == next.hash {
                held[position].next = key
            }
        } else if index == keys.count, place == .end {
            for position in held.indices where held[position].next == nil {
                held[position].next = key
            }
        }
        keys.insert(key, at: index)
        contents.insert(content, at: index)
        isStructural = true
    }

    private mutating func remove(_ operation: ItemOperation, _ shown: Int?, _ back: Int?) {
        isStructural = true
        if let back { held.remove(at: back) }
        guard let shown else { return }
        take(at: shown)
        send(operation, as: .remove, nil)
    }

    /// Takes an item out of the list. Arrivals that are held back before it are then before the
    /// item that follows.
    private mutating func take(at index: Int) {
        let key = keys.remove(at: index)
        contents.remove(at: index)
        let next = index < keys.count ? keys[index] : nil
        for position in held.indices where held[position].next == key {
            held[position].next = next
        }
    }

    private mutating func move(
        _ operation: ItemOperation, _ shown: Int?, _ back: Int?
    ) -> Bool {
        let target = target(of: operation)
        switch target {
        case .unknown: return false
        case .later:
            guard shown != nil || back != nil else { return rules.beginsAtFirstPage }
            remove(operation, shown, back)
            shift -= 1
            return true
        case .arrival, .shown: break
        }
        if let shown {
            move(operation, from: shown, to: target)
        } else if let back {
            move(operation, fromHeld: back, to: target)
        } else {
            return false
        }
        return true
    }

    private mutating func move(
        _ operation: ItemOperation, from shown: Int, to target: Target
    ) {
        let (key, content) = (keys[shown], contents[shown])
        switch target {
        case .arrival where !rules.beginsAtFirstPage: remove(operation, shown, nil)
        case .arrival(let position):
            take(at: shown)
            put(key, content, at: 0, .start)
            for index in held.indices.prefix(position) { held[index].next = key }
            if shown != 0 { send(operation, as: .move, .start) }
        case .shown(let index, let place):
            take(at: shown)
            let end = index > shown ? index - 1 : index
            put(key, content, at: end, place)
            if end != shown { send(operation, as: .move, place) }
        case .later, .unknown: break
        }
    }

    private mutating func move(
        _ operation: ItemOperation, fromHeld back: Int, to target: Target
    ) {
        var item = held.remove(at: back)
        switch target {
        case .arrival(let position):
            item.next = keys.first
            held.insert(item, at: position > back ? position - 1 : position)
        case .shown(let index, let place): insert(item.operation, at: index, place)
        case .later, .unknown: break
        }
    }

    /// Adds an operation for the client. `place` is in a list that begins at its refresh edge.
    private mutating func send(
        _ operation: ItemOperation, as kind: ItemOperation.Kind, _ place: ItemOperation.Place?
    ) {
        var sent = operation
        sent.kind = kind
        if rules.isReversed {
            switch place {
            case .start: sent.place = .end
            case .end: sent.place = .start
            case .before(let key): sent.place = .after(key)
            case .after(let key): sent.place = .before(key)
            case nil: sent.place = nil
            }
        } else {
            sent.place = place
        }
        if kind == .remove || kind == .move { sent.item = [] }
        self.sent.append(sent)
    }
}
