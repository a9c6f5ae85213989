/// The connections whose heads or bodies are awaited, in the order of their deadlines. All have the
/// same time limit, so this is also the order in which they were added. A connection whose head or
/// body has arrived stays in the queue until its turn.
struct HeadDeadlines {
    private struct Entry {
        let due: Int64
        let record: ConnectionRecord
    }

    private var entries: [Entry] = []
    private var first = 0

    /// Whether the queue is empty.
    var isEmpty: Bool { first == entries.count }

    /// Adds a deadline for the connection's head or body. A deadline that is earlier than the last
    /// one in the queue is nevertheless handled after that one.
    mutating func append(_ record: ConnectionRecord, due: Int64) {
        record.headDueAt = due
        entries.append(Entry(due: due, record: record))
    }

    /// Removes and returns the next connection whose deadline has passed at `now`.
    mutating func popDue(at now: Int64) -> ConnectionRecord? {
        while let entry = next(), entry.due <= now {
            removeFirst()
            guard entry.record.headDueAt == entry.due else { continue }
            entry.record.headDueAt = nil
            return entry.record
        }
        return nil
    }

    /// Returns the next deadline.
    mutating func nextDue() -> Int64? {
        while let entry = next() {
            if entry.record.headDueAt == entry.due { return entry.due }
            removeFirst()
        }
        return nil
    }

    private func next() -> Entry? { first < entries.count ? entries[first] : nil }

    private mutating func removeFirst() {
        first += 1
        // Handled entries are removed from the array in bulk, so that the average cost of an entry
        // is constant.
        if first > 32, first * 2 > entries.count {
            entries.removeFirst(first)
            first = 0
        }
    }
}
