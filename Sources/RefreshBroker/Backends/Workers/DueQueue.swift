internal import RefreshProtocol

/// What is due when, the earliest first: a binary heap.
///
/// It may hold what has been settled already; the owner knows it by its serial number.
struct DueQueue<Name: Sendable>: Sendable {
    struct Entry: Sendable {
        let deadline: Instant
        /// Never used twice; orders equal deadlines.
        let serial: UInt64
        let name: Name

        fileprivate func precedes(_ other: Entry) -> Bool {
            deadline == other.deadline ? serial < other.serial : deadline < other.deadline
        }
    }

    private var entries: [Entry] = []

    var count: Int { entries.count }
    var first: Entry? { entries.first }

    mutating func insert(_ name: Name, at deadline: Instant, serial: UInt64) {
        entries.append(Entry(deadline: deadline, serial: serial, name: name))
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
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && entries[child].precedes(entries[least]) {
                least = child
            }
            guard least != parent else { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }

    /// Keeps only what `isLive` says. Costs a sort.
    mutating func keep(_ isLive: (Entry) -> Bool) {
        // A sorted array is a heap.
        entries = entries.filter(isLive).sorted { $0.precedes($1) }
    }
}
