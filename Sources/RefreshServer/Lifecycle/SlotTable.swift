/// Places that are used again, each use with a generation of its own, so that a name that outlived
/// what it named names nothing.
struct SlotTable<Element> {
    private struct Slot {
        var generation: UInt32 = 0
        var element: Element?
    }

    private var slots: [Slot] = []
    private var free: [UInt32] = []

    /// How many places are taken.
    var count: Int { slots.count - free.count }

    /// All that is in the table, in no promised order.
    var elements: [Element] { slots.compactMap(\.element) }

    /// Takes a place for what `make` returns, given its slot and generation.
    mutating func insert(_ make: (_ slot: UInt32, _ generation: UInt32) -> Element) -> Element {
        let slot: UInt32
        if let used = free.popLast() {
            slot = used
        } else {
            slot = UInt32(slots.count)
            slots.append(Slot())
        }
        slots[Int(slot)].generation &+= 1
        let element = make(slot, slots[Int(slot)].generation)
        slots[Int(slot)].element = element
        return element
    }

    /// What is at `slot`, if it is still of that generation.
    subscript(slot: UInt32, generation: UInt32) -> Element? {
        guard slot < slots.count, slots[Int(slot)].generation == generation else { return nil }
        return slots[Int(slot)].element
    }

    /// What is at `slot` now.
    subscript(slot: UInt32) -> Element? {
        slot < slots.count ? slots[Int(slot)].element : nil
    }

    /// Gives the place back; a name that is not current changes nothing.
    mutating func remove(slot: UInt32, generation: UInt32) {
        guard self[slot, generation] != nil else { return }
        slots[Int(slot)].element = nil
        free.append(slot)
    }
}
