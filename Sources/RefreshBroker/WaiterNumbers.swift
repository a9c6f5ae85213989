/// Assigns small, reusable numbers to waiters for as long as they wait. A waiter is the load of a
/// session, or of another node, that waits for an answer.
///
/// The state machine works with these numbers. So the compiler specializes the machine for one
/// type. This makes it several times faster than a machine with a generic type of waiter. A waiter
/// is hashed once, on arrival.
struct WaiterNumbers<Waiter: Hashable & Sendable>: Sendable {
    private struct Slot: Sendable {
        var hash = 0
        /// The number of the next waiter with the same hash; -1 if there is none.
        var next = -1
    }

    /// The waiters by number. For a free number, this is the last waiter that had it.
    private var waiters: [Waiter] = []
    private var slots: [Slot] = []
    private var free: [Int] = []
    /// The number of the first waiter for each hash.
    private var first: [Int: Int] = [:]

    var count: Int { slots.count - free.count }

    /// Assigns a number to a new waiter. Returns nil if the waiter already has one.
    mutating func assignNumber(to waiter: Waiter) -> Int? {
        let hash = waiter.hashValue
        let head = first[hash] ?? -1
        guard find(waiter, from: head) == nil else { return nil }
        let slot = Slot(hash: hash, next: head)
        let number: Int
        if let used = free.popLast() {
            number = used
            waiters[number] = waiter
            slots[number] = slot
        } else {
            number = slots.count
            waiters.append(waiter)
            slots.append(slot)
        }
        first[hash] = number
        return number
    }

    /// Returns the number of a waiter, or nil if it has none.
    func number(of waiter: Waiter) -> Int? {
        guard let head = first[waiter.hashValue] else { return nil }
        return find(waiter, from: head)
    }

    /// The waiter with a number, which must be in use.
    subscript(number: Int) -> Waiter { waiters[number] }

    /// Releases the numbers for reuse. All must be in use.
    mutating func release(_ numbers: [Int]) {
        for number in numbers { release(number) }
    }

    private mutating func release(_ number: Int) {
        let slot = slots[number]
        free.append(number)
        guard let head = first[slot.hash], head != number else {
            first[slot.hash] = slot.next < 0 ? nil : slot.next
            return
        }
        var before = head
        while slots[before].next >= 0, slots[before].next != number { before = slots[before].next }
        slots[before].next = slot.next
    }

    private func find(_ waiter: Waiter, from head: Int) -> Int? {
        var number = head
        while number >= 0 {
            if waiters[number] == waiter { return number }
            number = slots[number].next
        }
        return nil
    }
}
