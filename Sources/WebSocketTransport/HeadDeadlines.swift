/// Whose heads are awaited, in the order in which they are due: all wait equally long, so the order
/// is that of their coming. Who has asked meanwhile stays in the row until it is his turn.
struct HeadDeadlines {
    private struct Entry {
        let due: Int64
        let visit: Visit
    }

    private var entries: [Entry] = []
    private var first = 0

    /// Whether nobody is in the row.
    var isEmpty: Bool { first == entries.count }

    /// The visit's head must be there by `due`. An earlier time than that of the last one waits for
    /// those before it.
    mutating func await(_ visit: Visit, due: Int64) {
        visit.headDueAt = due
        entries.append(Entry(due: due, visit: visit))
    }

    /// Takes out the next one whose time is over at `now`.
    mutating func popDue(at now: Int64) -> Visit? {
        while let entry = next(), entry.due <= now {
            removeFirst()
            guard entry.visit.headDueAt == entry.due else { continue }
            entry.visit.headDueAt = nil
            return entry.visit
        }
        return nil
    }

    /// When the next one's time is over.
    mutating func nextDue() -> Int64? {
        while let entry = next() {
            if entry.visit.headDueAt == entry.due { return entry.due }
            removeFirst()
        }
        return nil
    }

    private func next() -> Entry? { first < entries.count ? entries[first] : nil }

    private mutating func removeFirst() {
        first += 1
        // The dead head is dropped in bulk, so that taking out is constant on average.
        if first > 32, first * 2 > entries.count {
            entries.removeFirst(first)
            first = 0
        }
    }
}
