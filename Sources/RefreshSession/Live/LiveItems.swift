import RefreshBroker

/// The operations on items that wait for a view, and the arrivals that are held back. Source:
/// docs/protocol.md, "Live items".
struct LiveItems: Hashable, Codable {
    /// The largest number of operations that wait, with the arrivals that are held back.
    static let operationsMax = 100
    /// The largest number of bytes of their items.
    static let bytesMax = 65_536

    /// In the order of the list.
    var held: [HeldItem] = []
    var waiting: [ReportedOperation] = []
    /// What the waiting operations make of the list; nil if it must be found from the beginning.
    /// The last operations may be missing in it.
    var edit: ListEdit?
    /// Whether a page has arrived that does not fit `edit`.
    var isUnresolved = false
    /// The shift of the waiting operations that the engine knows.
    var reportedShift = 0
    /// How many of the waiting operations were reported before the running refresh began. The
    /// refresh delivers them, and the arrivals that are held back.
    var countBeforeRefresh = 0
    /// The items that the client's own user has removed from a list without its first page.
    var removedByAuthor: [UInt64] = []

    var isEmpty: Bool { held.isEmpty && waiting.isEmpty && removedByAuthor.isEmpty }

    /// Whether there are not too many operations, and not too long ones. The operations of the
    /// client's own user do not count, because the number of his unanswered edits is limited.
    var isWithinBounds: Bool {
        let others = waiting.lazy.filter { !$0.isOwn }
        return held.count + others.count <= Self.operationsMax
            && others.reduce(heldItemBytes) { $0 + $1.operation.item.count } <= Self.bytesMax
    }

    private var heldItemBytes: Int { held.reduce(0) { $0 + $1.operation.item.count } }

    /// The approximate number of bytes in memory.
    var heldBytes: Int {
        waiting.reduce(heldItemBytes) { $0 + $1.operation.item.count } + (edit?.heldBytes ?? 0)
            + (held.count + waiting.count) * 2 * MemoryLayout<ReportedOperation>.stride
    }

    /// How many items of other users are held back or wait to be inserted.
    var insertCount: Int {
        waiting.reduce(held.count) {
            $0 + ($1.operation.kind == .insert && !$1.isOwn ? 1 : 0)
        }
    }

    /// What is left if the operations of other users are discarded.
    var ofAuthor: LiveItems {
        var own = LiveItems()
        own.waiting = waiting.filter(\.isOwn)
        own.countBeforeRefresh = waiting.prefix(countBeforeRefresh).count(where: \.isOwn)
        return own
    }

    /// Discards what a refresh has delivered.
    mutating func removeDelivered() {
        held = []
        waiting.removeFirst(min(countBeforeRefresh, waiting.count))
        edit = nil
        isUnresolved = false
        reportedShift = 0
        removedByAuthor = []
    }
}

extension [ReportedOperation] {
    /// Discards the operations that a page with the new items `keys` already has. Those on the
    /// items `known` stay, because the pages of these items may have been read before. What the
    /// client's own user has done stays too, because he must not see it undone, unless a later
    /// operation undoes it. Returns false if the page may not have what was discarded: operations
    /// of another reporter can be newer than the page, which shows the items `shown`.
    mutating func removeContained(
        in keys: Set<UInt64>, knowing known: Set<UInt64>, of shown: Set<UInt64>
    ) -> Bool {
        let count = containedCount(in: keys)
        var others: [ReportedOperation] = []
        var isCertain = true
        for (position, reported) in prefix(count).enumerated() {
            let operation = reported.operation
            let key = operation.key.hash
            let isContained = operation.kind == .insert && keys.contains(key)
            if reported.isOwn, !isContained, !isUndone(operation, by: self[position + 1..<count]) {
                others.append(reported)
                isCertain = isCertain && operation.kind != .insert
            } else if known.contains(key), !keys.contains(key) {
                others.append(reported)
            } else {
                isCertain = isCertain && (isContained || !operation.changes(shown))
            }
        }
        replaceSubrange(..<count, with: others)
        return isCertain
    }

    /// Whether one of the later operations removes the item, or inserts it again.
    private func isUndone(
        _ operation: ItemOperation, by later: ArraySlice<ReportedOperation>
    ) -> Bool {
        later.contains {
            $0.operation.key.hash == operation.key.hash && $0.operation.kind != operation.kind
                && ($0.operation.kind == .remove || $0.operation.kind == .insert)
        }
    }

    /// How many of the operations the backend had performed when it read a page with the new items
    /// `keys`: up to the last one that has inserted an item of the page.
    private func containedCount(in keys: Set<UInt64>) -> Int {
        var known: Set<UInt64> = []
        var count = 0
        for (position, reported) in enumerated() where reported.operation.kind == .insert {
            let key = reported.operation.key.hash
            // A report that is repeated says nothing about the operations before it.
            if known.insert(key).inserted, keys.contains(key) { count = position + 1 }
        }
        return count
    }
}

extension ItemOperation {
    /// Whether the operation can change a list with these items.
    fileprivate func changes(_ shown: Set<UInt64>) -> Bool {
        switch kind {
        case .update, .remove, .refresh: shown.contains(key.hash)
        case .insert, .move: true
        }
    }
}
