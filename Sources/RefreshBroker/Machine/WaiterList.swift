internal import RefreshProtocol

/// Who waits for one load, in order of arrival.
///
/// Whoever leaves keeps a hole in the list until the holes are the larger part: leaving costs a
/// search by halves, and telling everybody is handing out the list as it stands.
struct WaiterList<Waiter: Sendable>: Sendable {
    private struct Place: Sendable {
        /// Ascending in the list.
        let serial: UInt64
        let deadline: Instant
        var isEmpty = false
    }

    private var waiters: [Waiter] = []
    private var places: [Place] = []
    /// Those who have not left.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// `serial` must be above all before it.
    mutating func append(_ waiter: Waiter, serial: UInt64, deadline: Instant) {
        waiters.append(waiter)
        places.append(Place(serial: serial, deadline: deadline))
        count += 1
    }

    /// Takes one out; nil if none of that number is there.
    mutating func remove(_ serial: UInt64) -> Waiter? {
        guard let index = index(of: serial) else { return nil }
        let waiter = waiters[index]
        places[index].isEmpty = true
        count -= 1
        if waiters.count > 2 * count + 16 { closeHoles() }
        return waiter
    }

    func contains(_ serial: UInt64) -> Bool { index(of: serial) != nil }

    /// Those who wait.
    var present: [Waiter] {
        if count == waiters.count { return waiters }
        return zip(waiters, places).compactMap { $1.isEmpty ? nil : $0 }
    }

    /// The latest deadline of those who wait. Linear.
    var lastDeadline: Instant? {
        var last: Instant?
        for place in places where !place.isEmpty {
            last = last.map { max($0, place.deadline) } ?? place.deadline
        }
        return last
    }

    private mutating func closeHoles() {
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
