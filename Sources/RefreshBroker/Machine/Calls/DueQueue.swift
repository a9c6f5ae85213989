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
/// The methods are inlinable, because generic code of another module is not specialized otherwise.
package struct DueQueue<Entry: Due>: Sendable {
    @usableFromInline
    var entries: [Entry] = []

    /// Creates an empty queue.
    @inlinable
    package init() {}

    /// The number of entries, including stale ones.
    package var count: Int {
        @inlinable get { entries.count }
    }
    /// The entry with the earliest deadline; nil if the queue is empty.
    package var first: Entry? {
        @inlinable get { entries.first }
    }

    /// Inserts an entry. The cost is logarithmic in `count`.
    @inlinable
    package mutating func insert(_ entry: Entry) {
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
    @inlinable
    package mutating func removeFirst() {
        guard let last = entries.popLast(), !entries.isEmpty else { return }
        entries[0] = last
        siftDown(0)
    }

    /// Keeps only the entries for which `isLive` returns true. The cost is linear in `count`.
    @inlinable
    package mutating func retain(_ isLive: (Entry) -> Bool) {
        entries.removeAll { !isLive($0) }
        for index in stride(from: entries.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
    }

    @inlinable
    mutating func siftDown(_ index: Int) {
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

    @inlinable
    package init(deadline: Instant, serial: UInt64, name: Name) {
        self.deadline = deadline
        self.serial = serial
        self.name = name
    }

    @inlinable
    package func precedes(_ other: NumberedDeadline) -> Bool {
        deadline == other.deadline ? serial < other.serial : deadline < other.deadline
    }
}

extension DueQueue {
    @inlinable
    package mutating func insert<Name>(_ name: Name, at deadline: Instant, serial: UInt64)
    where Entry == NumberedDeadline<Name> {
        insert(NumberedDeadline(deadline: deadline, serial: serial, name: name))
    }
}
