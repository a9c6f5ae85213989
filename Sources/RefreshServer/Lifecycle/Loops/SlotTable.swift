/// A table of elements, each in a numbered slot. When a slot is reused, its generation number
/// changes. The key (slot and generation) of a removed element therefore finds nothing.
struct SlotTable<Element> {
    private struct Slot {
        var generation: UInt32 = 0
        var element: Element?
    }

    private var slots: [Slot] = []
    private var free: [UInt32] = []

    /// How many slots are in use.
    var count: Int { slots.count - free.count }

    /// All elements, in no particular order.
    var elements: [Element] { slots.compactMap(\.element) }

    /// Inserts the element that `make` returns for a slot and its generation.
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

    /// The element at `slot`; nil if the slot is free or has another generation.
    subscript(slot: UInt32, generation: UInt32) -> Element? {
        guard slot < slots.count, slots[Int(slot)].generation == generation else { return nil }
        return slots[Int(slot)].element
    }

    /// The current element at `slot`; nil if the slot is free.
    subscript(slot: UInt32) -> Element? {
        slot < slots.count ? slots[Int(slot)].element : nil
    }

    /// Frees the slot. If the slot has another generation, nothing happens.
    mutating func remove(slot: UInt32, generation: UInt32) {
        guard self[slot, generation] != nil else { return }
        slots[Int(slot)].element = nil
        free.append(slot)
    }
}
