package import RefreshProtocol

/// An entry of a `DueQueue`: something that is due at a certain time.
package protocol Due: Sendable {
    /// The time at which the entry is due.
    var deadline: Instant { get }

    /// Returns whether this entry comes before `other` in a queue. The order must be strict: no
    /// entry precedes itself. An entry with an earlier deadline must come first. The entry decides
    /// the order of equal deadlines.
    func precedes(_ other: Self) -> Bool
}

/// A priority queue of entries, the entry with the earliest deadline first. It is a binary heap.
///
/// The queue may contain stale entries, which the owner recognizes by their contents. It has no
/// limit of its own: the owner limits the number of entries.
///
/// `RefreshCluster` calls some methods for each load of another node. They are specialized for that
/// here, because the compiler does not specialize generic code of another module.
package struct DueQueue<Entry: Due>: Sendable {
    private var entries: [Entry] = []
    /// The deadline of `first`; nil if the queue is empty.
    package private(set) var nextDeadline: Instant?

    /// Creates an empty queue.
    package init() {}

    /// The number of entries, including stale ones.
    package var count: Int { entries.count }
    /// The entry with the earliest deadline; nil if the queue is empty.
    package var first: Entry? {
        @specialized(where Entry == NumberedDeadline<RemoteLoadID>)
        get { entries.first }
    }

    /// Inserts an entry. The cost is logarithmic in `count`.
    @specialized(where Entry == NumberedDeadline<RemoteLoadID>)
    package mutating func insert(_ entry: Entry) {
        nextDeadline = min(nextDeadline ?? entry.deadline, entry.deadline)
        entries.append(entry)
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].precedes(entries[parent]) else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes `first`. If the queue is empty, this method has no effect. The cost is logarithmic
    /// in `count`.
    @specialized(where Entry == NumberedDeadline<RemoteLoadID>)
    package mutating func removeFirst() {
        defer { nextDeadline = entries.first?.deadline }
        guard let last = entries.popLast(), !entries.isEmpty else { return }
        entries[0] = last
        siftDown(0)
    }

    /// Keeps only the entries for which `isLive` returns true. The cost is linear in `count`.
    package mutating func retain(_ isLive: (Entry) -> Bool) {
        entries.removeAll { !isLive($0) }
        for index in stride(from: entries.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
        nextDeadline = entries.first?.deadline
    }

    private mutating func siftDown(_ index: Int) {
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

/// A named deadline with a serial number. The number is never reused and orders equal deadlines.
package struct NumberedDeadline<Name: Sendable>: Due {
    package let deadline: Instant
    package let serial: UInt64
    package let name: Name

    package init(deadline: Instant, serial: UInt64, name: Name) {
        self.deadline = deadline
        self.serial = serial
        self.name = name
    }

    package func precedes(_ other: NumberedDeadline) -> Bool {
        deadline == other.deadline ? serial < other.serial : deadline < other.deadline
    }
}

extension DueQueue {
    @specialized(where Entry == NumberedDeadline<RemoteLoadID>, Name == RemoteLoadID)
    package mutating func insert<Name>(_ name: Name, at deadline: Instant, serial: UInt64)
    where Entry == NumberedDeadline<Name> {
        insert(NumberedDeadline(deadline: deadline, serial: serial, name: name))
    }
}
