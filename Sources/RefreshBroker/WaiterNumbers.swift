/// Gives waiters numbers, small and used again, as long as they wait.
///
/// The machine counts in numbers, so that it is compiled for one type and not for whatever its
/// owner calls a waiter: that is several times quicker. A waiter is hashed once, when it comes.
struct WaiterNumbers<Waiter: Hashable & Sendable>: Sendable {
    private struct Slot: Sendable {
        var hash = 0
        /// Another one of the same hash; -1: there is none.
        var next = -1
    }

    /// By number. Of those that are free what stood there last.
    private var waiters: [Waiter] = []
    private var slots: [Slot] = []
    private var free: [Int] = []
    /// By hash, the first of its waiters.
    private var first: [Int: Int] = [:]

    var count: Int { slots.count - free.count }

    /// A number for a new waiter; nil: it has one.
    mutating func enter(_ waiter: Waiter) -> Int? {
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

    /// The number of a waiter; nil: it has none.
    func number(of waiter: Waiter) -> Int? {
        guard let head = first[waiter.hashValue] else { return nil }
        return find(waiter, from: head)
    }

    /// Whose numbers these are. All must be in use.
    func waiters(of numbers: [Int]) -> [Waiter] { numbers.map { waiters[$0] } }

    /// The numbers are free for others. All must be in use.
    mutating func leave(_ numbers: [Int]) {
        for number in numbers { leave(number) }
    }

    private mutating func leave(_ number: Int) {
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
