/// A moment of the daemon's clock, in microseconds since an origin near the start of the process.
///
/// The core never asks for the time: it is given an instant with each event.
package struct Instant: Hashable, Comparable, Sendable, Codable {
    package var microseconds: Int64

    @inline(__always)
    package init(microseconds: Int64) { self.microseconds = microseconds }

    /// `milliseconds` after the origin, rounded to the microsecond.
    package init(milliseconds: Double) {
        self.microseconds = Int64((milliseconds * 1000).rounded())
    }

    package static let origin = Instant(microseconds: 0)

    /// Later than every other.
    package static let never = Instant(microseconds: .max)

    package var milliseconds: Double { Double(microseconds) / 1000 }

    @inline(__always)
    package func advanced(byMilliseconds duration: Double) -> Instant {
        Instant(microseconds: microseconds &+ Int64(duration * 1000 + (duration < 0 ? -0.5 : 0.5)))
    }

    /// Whole milliseconds.
    @inline(__always)
    package func advanced(byMilliseconds duration: UInt32) -> Instant {
        Instant(microseconds: microseconds &+ Int64(duration) &* 1000)
    }

    /// Milliseconds from `earlier` to here.
    package func milliseconds(since earlier: Instant) -> Double {
        Double(microseconds &- earlier.microseconds) / 1000
    }

    // Spelled out, for the generic ones are called through a table.
    @inline(__always)
    package static func < (a: Instant, b: Instant) -> Bool { a.microseconds < b.microseconds }
    @inline(__always)
    package static func <= (a: Instant, b: Instant) -> Bool { a.microseconds <= b.microseconds }
}
