internal import Synchronization

/// The latest progress value of one call, until the broker has read it. At most one message is
/// queued, even if a backend reports often. Any thread may use the slot.
final class ProgressSlot: Sendable {
    /// The bits of a value. `none` is not a value that a backend can report.
    private let bits = Atomic<UInt64>(none)

    private static let none = UInt64.max

    /// Stores a value. Returns true if the reader must be notified.
    func store(_ value: Double) -> Bool {
        guard value.isFinite else { return false }
        return bits.exchange(value.bitPattern, ordering: .acquiringAndReleasing) == Self.none
    }

    /// Removes and returns the value. Returns nil if there is none.
    func consumeValue() -> Double? {
        let taken = bits.exchange(Self.none, ordering: .acquiringAndReleasing)
        return taken == Self.none ? nil : Double(bitPattern: taken)
    }
}
