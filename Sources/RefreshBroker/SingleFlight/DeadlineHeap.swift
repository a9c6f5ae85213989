internal import RefreshProtocol

/// Deadlines, the earliest first: a binary heap.
///
/// It may hold deadlines of waiters that are gone; the owner knows them by their serial number.
struct DeadlineHeap<Waiter: Sendable>: Sendable {
    struct Entry: Sendable {
        let deadline: Instant
        /// Orders equal deadlines by arrival and tells a waiter from an earlier use of its name.
        let serial: UInt64
        let waiter: Waiter

        func precedes(_ other: Entry) -> Bool {
            deadline == other.deadline ? serial < other.serial : deadline < other.deadline
        }
    }

    private var entries: [Entry] = []

    var count: Int { entries.count }
    var first: Entry? { entries.first }

    mutating func insert(_ entry: Entry) {
        entries.append(entry)
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].precedes(entries[parent]) else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    mutating func removeFirst() {
        guard let last = entries.popLast(), !entries.isEmpty else { return }
        entries[0] = last
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < entries.count else { return }
            let right = left + 1
            let child =
                right < entries.count && entries[right].precedes(entries[left]) ? right : left
            guard entries[child].precedes(entries[parent]) else { return }
            entries.swapAt(child, parent)
            parent = child
        }
    }

    /// Keeps only what `isLive` says. Linear.
    mutating func keep(_ isLive: (Entry) -> Bool) {
        // A sorted array is a heap.
        entries = entries.filter(isLive).sorted { $0.precedes($1) }
    }
}
