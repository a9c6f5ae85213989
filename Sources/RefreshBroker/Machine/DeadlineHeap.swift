internal import RefreshProtocol

/// Deadlines, the earliest first: a binary heap.
///
/// It may hold deadlines of what is gone; the owner knows them by flight and serial number.
struct DeadlineHeap: Sendable {
    struct Entry: Hashable, Sendable {
        let deadline: Instant
        /// Of a waiter: orders equal deadlines by arrival. Else one of the two below.
        let serial: UInt64
        /// The load that it is about.
        let flight: UInt64

        /// Of the load's own deadline or pause: after those of its waiters at the same instant, so
        /// that a last waiter's deadline is its own and not the call's failure.
        static let flightSerial = UInt64.max
        /// Of progress that waits to be told.
        static let progressSerial = UInt64.max - 1

        func precedes(_ other: Entry) -> Bool {
            if deadline != other.deadline { return deadline < other.deadline }
            return serial == other.serial ? flight < other.flight : serial < other.serial
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
        sink(0)
    }

    /// Keeps only what `isLive` says. Linear.
    mutating func keep(_ isLive: (Entry) -> Bool) {
        entries.removeAll { !isLive($0) }
        for index in stride(from: entries.count / 2 - 1, through: 0, by: -1) { sink(index) }
    }

    private mutating func sink(_ index: Int) {
        var parent = index
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
}
