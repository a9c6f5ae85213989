internal import RefreshProtocol

/// The waiters of one load, in order of arrival. A waiter is a session's load that waits for an
/// answer.
///
/// When a waiter leaves, its slot becomes empty, so that the removal needs only one binary search.
/// Empty slots are removed when they are the majority.
struct WaiterList<Waiter: Sendable>: Sendable {
    private struct Slot: Sendable {
        /// Serial numbers ascend in the list.
        let serial: UInt64
        let deadline: Instant
        var isEmpty = false
    }

    private var waiters: [Waiter] = []
    private var places: [Slot] = []
    /// The number of waiters that have not left.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Appends a waiter. `serial` must be greater than all earlier serial numbers.
    mutating func append(_ waiter: Waiter, serial: UInt64, deadline: Instant) {
        waiters.append(waiter)
        places.append(Slot(serial: serial, deadline: deadline))
        count += 1
    }

    /// Removes and returns the waiter with this serial number. Returns nil if there is none.
    mutating func remove(_ serial: UInt64) -> Waiter? {
        guard let index = index(of: serial) else { return nil }
        let waiter = waiters[index]
        places[index].isEmpty = true
        count -= 1
        if waiters.count > 2 * count + 16 { compact() }
        return waiter
    }

    func contains(_ serial: UInt64) -> Bool { index(of: serial) != nil }

    /// The waiters that have not left.
    var present: [Waiter] {
        if count == waiters.count { return waiters }
        return zip(waiters, places).compactMap { $1.isEmpty ? nil : $0 }
    }

    /// The latest deadline of the present waiters. The cost is linear.
    var lastDeadline: Instant? {
        var last: Instant?
        for place in places where !place.isEmpty {
            last = last.map { max($0, place.deadline) } ?? place.deadline
        }
        return last
    }

    private mutating func compact() {
        waiters = present
        places.removeAll(where: \.isEmpty)
    }

    private func index(of serial: UInt64) -> Int? {
        var low = 0
        var high = places.count
        while low < high {
            let middle = low + (high - low) / 2
            if places[middle].serial < serial { low = middle + 1 } else { high = middle }
        }
        guard low < places.count, places[low].serial == serial, !places[low].isEmpty else {
            return nil
        }
        return low
    }
}
