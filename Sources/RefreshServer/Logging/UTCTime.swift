internal import Foundation
internal import Glibc

/// A date and a time of day in UTC. Each log line begins with such a time. See
/// docs/decisions/0021-calendar-time.md.
package struct UTCTime: Hashable, Sendable, CustomStringConvertible {
    private let seconds: Int
    private let milliseconds: Int

    /// Creates the time `seconds` and `milliseconds` after the start of 1970. `seconds` is not
    /// negative, and `milliseconds` is below 1000.
    package init(seconds: Int, milliseconds: Int = 0) {
        self.seconds = seconds
        self.milliseconds = milliseconds
    }

    /// The current time of the system's clock.
    static var now: UTCTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return UTCTime(seconds: time.tv_sec, milliseconds: time.tv_nsec / 1_000_000)
    }

    /// `2026-11-21T12:00:00.123Z` (RFC 3339).
    package var description: String {
        // The formatted time is the middle of the millisecond, because the format truncates and a
        // `Date` is not exact.
        Date(timeIntervalSince1970: Double(seconds) + (Double(milliseconds) + 0.5) / 1000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
