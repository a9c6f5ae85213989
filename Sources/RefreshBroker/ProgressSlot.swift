internal import Synchronization

/// The last progress of one call that its broker has not read yet: however often a backend reports,
/// one message is on the way. Any thread.
final class ProgressSlot: Sendable {
    /// The bits of a value; `none` is no value that a backend reports.
    private let bits = Atomic<UInt64>(none)

    private static let none = UInt64.max

    /// Leaves a value; true if the reader must be told that there is one.
    func put(_ value: Double) -> Bool {
        guard value.isFinite else { return false }
        return bits.exchange(value.bitPattern, ordering: .acquiringAndReleasing) == Self.none
    }

    /// Takes the value; nil if there is none.
    func take() -> Double? {
        let taken = bits.exchange(Self.none, ordering: .acquiringAndReleasing)
        return taken == Self.none ? nil : Double(bitPattern: taken)
    }
}
