import RefreshBroker

/// The operations on items that wait for a view, and the arrivals that are held back. Source:
/// docs/protocol.md, "Live items".
struct LiveItems: Hashable, Codable {
    /// The largest number of operations that wait, with the arrivals that are held back.
    static let operationsMax = 100
    /// The largest number of bytes of their items.
    static let bytesMax = 65_536

    /// In the order of the list.
    var held: [HeldItem] = []
    var waiting: [ReportedOperation] = []
    /// The shift of the waiting operations that the engine knows.
    var reportedShift = 0
    /// How many of the waiting operations were reported before the running refresh began. The
    /// refresh delivers them, and the arrivals that are held back.
    var coveredCount = 0

    var isEmpty: Bool { held.isEmpty && waiting.isEmpty }

    /// Whether there are not too many operations, and not too long ones.
    var isWithinBounds: Bool {
        held.count + waiting.count <= Self.operationsMax && itemBytes <= Self.bytesMax
    }

    private var itemBytes: Int {
        let bytes = held.reduce(0) { $0 + $1.operation.item.count }
        return waiting.reduce(bytes) { $0 + $1.operation.item.count }
    }

    /// The approximate number of bytes in memory.
    var heldBytes: Int {
        itemBytes + (held.count + waiting.count) * 2 * MemoryLayout<ReportedOperation>.stride
    }

    /// How many items are held back or wait to be inserted.
    var insertCount: Int {
        waiting.reduce(held.count) { $0 + ($1.operation.kind == .insert ? 1 : 0) }
    }

    /// Discards what a refresh has delivered.
    mutating func removeCovered() {
        held = []
        waiting.removeFirst(min(coveredCount, waiting.count))
        reportedShift = 0
    }
}
