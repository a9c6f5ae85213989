internal import Glibc

/// A moment of the civil calendar in UTC, as at the start of log lines. See
/// docs/decisions/0021-calendar-time.md.
package struct UTCTime: Hashable, Sendable, CustomStringConvertible {
    private let seconds: Int
    private let milliseconds: Int

    /// `seconds` since 1970, not negative, and `milliseconds` more, below 1000.
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
        let (year, month, day) = date
        let time = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60]
        return Self.padded(year, 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(day, 2) + "T"
            + time.map { Self.padded($0, 2) }.joined(separator: ":")
            + "." + Self.padded(milliseconds, 3) + "Z"
    }

    /// The Gregorian date. It is computed in years that begin on 1 March, so that the leap day is
    /// the last.
    private var date: (year: Int, month: Int, day: Int) {
        let daysFrom0000To1970 = 719_468
        let daysIn400Years = 146_097
        let days = seconds / 86_400 + daysFrom0000To1970
        let era = days / daysIn400Years
        let dayOfEra = days % daysIn400Years
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
