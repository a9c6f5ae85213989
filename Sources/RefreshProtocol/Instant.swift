/// A moment of the daemon's clock, in microseconds since an origin near the start of the process.
///
/// Code that makes decisions never reads the clock. It receives an instant with each event.
package struct Instant: Hashable, Comparable, Sendable, Codable {
    package var microseconds: Int64

    @inlinable
    package init(microseconds: Int64) { self.microseconds = microseconds }

    /// The instant `milliseconds` after the origin, rounded to the microsecond.
    package init(milliseconds: Double) {
        self.microseconds = Int64((milliseconds * 1000).rounded())
    }

    package static var origin: Instant {
        @inlinable get { Instant(microseconds: 0) }
    }

    /// The latest possible instant.
    package static var never: Instant {
        @inlinable get { Instant(microseconds: .max) }
    }

    package var milliseconds: Double { Double(microseconds) / 1000 }

    @inlinable
    package func advanced(byMilliseconds duration: Double) -> Instant {
        Instant(microseconds: microseconds &+ Int64(duration * 1000 + (duration < 0 ? -0.5 : 0.5)))
    }

    /// The instant `duration` whole milliseconds later.
    @inlinable
    package func advanced(byMilliseconds duration: UInt32) -> Instant {
        Instant(microseconds: microseconds &+ Int64(duration) &* 1000)
    }

    /// The milliseconds from `earlier` to this instant.
    package func milliseconds(since earlier: Instant) -> Double {
        Double(microseconds &- earlier.microseconds) / 1000
    }

    // The operators are written out, because the generic operators are called through a witness
    // table. They are inlinable, because other modules use them for every message.
    @inlinable
    package static func == (a: Instant, b: Instant) -> Bool { a.microseconds == b.microseconds }
    @inlinable
    package static func < (a: Instant, b: Instant) -> Bool { a.microseconds < b.microseconds }
    @inlinable
    package static func <= (a: Instant, b: Instant) -> Bool { a.microseconds <= b.microseconds }
}
