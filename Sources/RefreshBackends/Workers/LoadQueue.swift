internal import RefreshBroker

/// A FIFO queue of one feed's loads.
struct LoadQueue: Sendable {
    private var places: [(id: CallID, serial: UInt64)] = []
    private var head = 0

    var first: (id: CallID, serial: UInt64)? { head < places.count ? places[head] : nil }

    /// The number of entries, including entries of loads that have stopped waiting.
    var count: Int { places.count - head }

    /// Keeps only the entries for which `isWaiting` returns true. The cost is linear.
    mutating func retain(_ isWaiting: (CallID, _ serial: UInt64) -> Bool) {
        places = places[head...].filter { isWaiting($0.id, $0.serial) }
        head = 0
    }

    mutating func append(_ id: CallID, _ serial: UInt64) { places.append((id, serial)) }

    /// Inserts a load by its age. The queue must be in the order of ages.
    mutating func insert(_ id: CallID, _ serial: UInt64) {
        var (low, high) = (head, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].serial < serial { low = middle + 1 } else { high = middle }
        }
        if low == head, head > 0 {
            head -= 1
            places[head] = (id, serial)
        } else {
            places.insert((id, serial), at: low)
        }
    }

    mutating func removeFirst() {
        guard head < places.count else { return }
        head += 1
        // Deletes many entries together, so that the average cost of `removeFirst` is constant.
        if head > 32, head * 2 > places.count {
            places.removeFirst(head)
            head = 0
        }
    }
}
