import RefreshBroker

/// The operations on a list, one after another.
extension ListEdit {
    mutating func update(_ operation: ItemOperation, _ shown: Int?, _ back: Int?) {
        if let back {
            held[back].operation.item = operation.item
            held[back].operation.contentHash = operation.contentHash
        }
        guard let shown, contents[shown] != operation.contentHash else { return }
        contents[shown] = operation.contentHash
        send(operation, as: .update, nil)
    }

    mutating func insert(_ operation: ItemOperation) -> Bool {
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
    mutating func insertOfAuthor(_ operation: ItemOperation, _ back: Int?) -> Bool {
        if let back {
            held.remove(at: back)
            shift -= 1
        }
        guard case .arrival = target(of: operation) else { return insert(operation) }
        guard rules.beginsAtFirstPage else { return insertBeforeFirst(operation) }
        guard release() else { return false }
        guard case .arrival = target(of: operation) else { return insert(operation) }
        insert(operation, at: 0, .start)
        shift += 1
        return true
    }

    /// Inserts an item of the client's own user before the first item of a list that does not begin
    /// at the start of the feed. At the start of the feed, it is held back like any arrival.
    private mutating func insertBeforeFirst(_ operation: ItemOperation) -> Bool {
        guard case .before(let key) = place(of: operation), key.hash == keys.first else {
            return insert(operation)
        }
        insert(operation, at: 0, .before(key))
        shift += 1
        return true
    }

    mutating func insert(
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

    mutating func remove(_ operation: ItemOperation, _ shown: Int?, _ back: Int?) {
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

    mutating func move(
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
