/// The open connections of one loop, by slot. When a slot is reused, its generation number changes.
struct ConnectionTable {
    private struct Slot {
        var connection: Connection?
        var generation: UInt32 = 0
    }

    private var slots: [Slot] = []
    private var free: [UInt32] = []
    private var sweepFrom = 0
    private(set) var count = 0
    private let loopIndex: UInt64

    init(loopIndex: Int) {
        self.loopIndex = UInt64(loopIndex)
    }

    /// Calls `make` with the key of a free slot, and inserts the returned connection into this
    /// slot.
    mutating func insert(_ make: (UInt64) -> Connection) -> Connection {
        let slot = free.popLast() ?? UInt32(slots.count)
        if slot == slots.count { slots.append(Slot()) }
        let generation = (slots[Int(slot)].generation &+ 1) & 0xff_ffff
        let connection = make(loopIndex << 56 | UInt64(generation) << 32 | UInt64(slot))
        slots[Int(slot)] = Slot(connection: connection, generation: generation)
        count += 1
        return connection
    }

    /// Frees the slot of a connection. Returns false if it was free already.
    mutating func remove(_ connection: Connection) -> Bool {
        let slot = Int(connection.slot)
        guard slot < slots.count, slots[slot].connection === connection else { return false }
        slots[slot].connection = nil
        free.append(UInt32(slot))
        count -= 1
        return true
    }

    /// Returns the connection with this key, if it is still open.
    func connection(_ key: UInt64) -> Connection? {
        let slot = Int(UInt32(truncatingIfNeeded: key))
        guard slot < slots.count, let connection = slots[slot].connection, connection.key == key
        else { return nil }
        return connection
    }

    /// All open connections.
    var all: [Connection] { slots.compactMap(\.connection) }

    /// Returns the next part of the table. `parts` consecutive calls return the whole table.
    mutating func nextPart(of parts: Int) -> [Connection] {
        guard !slots.isEmpty else { return [] }
        let size = max(64, (slots.count + parts - 1) / parts)
        if sweepFrom >= slots.count { sweepFrom = 0 }
        let end = min(slots.count, sweepFrom + size)
        defer { sweepFrom = end }
        return slots[sweepFrom..<end].compactMap(\.connection)
    }
}
