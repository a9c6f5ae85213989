package import RefreshProtocol

/// An entry with a deadline. `precedes` orders entries by deadline, and also orders entries with
/// the same deadline.
package protocol Due: Sendable {
    var deadline: Instant { get }
    func precedes(_ other: Self) -> Bool
}

/// A priority queue of entries, the entry with the earliest deadline first. It is a binary heap.
///
/// The queue may contain stale entries, which the owner recognizes by their contents.
///
/// The methods are inlinable, because generic code of another module is not specialized otherwise.
package struct DueQueue<Entry: Due>: Sendable {
    @usableFromInline
    var entries: [Entry] = []

    @inlinable
    package init() {}

    package var count: Int {
        @inlinable get { entries.count }
    }
    package var first: Entry? {
        @inlinable get { entries.first }
    }

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

    @inlinable
    package mutating func removeFirst() {
        guard let last = entries.popLast(), !entries.isEmpty else { return }
        entries[0] = last
        siftDown(0)
    }

    /// Keeps only the entries for which `isLive` returns true. The cost is linear.
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
