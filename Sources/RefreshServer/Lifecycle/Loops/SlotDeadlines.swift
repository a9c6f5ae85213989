internal import RefreshProtocol

/// The times at which a loop must wake its sessions. A session is identified by its slot in the
/// loop's `SlotTable`. The deadlines form a heap with at most one deadline for each slot.
///
/// A scheduled deadline can be too early, but never too late. If a session's deadline becomes
/// later, the scheduled deadline is not changed, and wakes the session once without need. After
/// each message, it is therefore enough to compare the session's new deadline with the scheduled
/// deadline.
struct SlotDeadlines {
    private var heap: [(deadline: Int64, slot: UInt32)] = []
    /// For each slot, the index of its deadline in `heap`; -1 if the slot has no deadline.
    private var places: [Int] = []

    /// The earliest deadline.
    var first: Instant? { heap.first.map { Instant(microseconds: $0.deadline) } }

    /// Sets the slot's deadline, earlier or later than before.
    mutating func arm(_ deadline: Instant, slot: UInt32) {
        let index = Int(slot)
        while places.count <= index { places.append(-1) }
        if places[index] < 0 {
            places[index] = heap.count
            heap.append((deadline.microseconds, slot))
        } else {
            heap[places[index]].deadline = deadline.microseconds
        }
        restoreHeap(at: places[index])
    }

    /// Removes the slot's deadline.
    mutating func disarm(slot: UInt32) {
        let index = Int(slot)
        guard index < places.count, places[index] >= 0 else { return }
        let place = places[index]
        places[index] = -1
        let last = heap.removeLast()
        guard place < heap.count else { return }
        heap[place] = last
        places[Int(last.slot)] = place
        restoreHeap(at: place)
    }

    /// Returns a slot whose deadline is `now` or earlier, and removes this deadline. Returns nil if
    /// there is no such slot.
    mutating func popDue(at now: Instant) -> UInt32? {
        guard let first = heap.first, first.deadline <= now.microseconds else { return nil }
        disarm(slot: first.slot)
        return first.slot
    }

    /// Moves the entry at `place` up or down to its position in the heap.
    private mutating func restoreHeap(at place: Int) {
        var place = place
        while place > 0, heap[place].deadline < heap[(place - 1) / 2].deadline {
            swap(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < heap.count && heap[child].deadline < heap[least].deadline {
                least = child
            }
            if least == place { return }
            swap(place, least)
            place = least
        }
    }

    private mutating func swap(_ a: Int, _ b: Int) {
        heap.swapAt(a, b)
        places[Int(heap[a].slot)] = a
        places[Int(heap[b].slot)] = b
    }
}
