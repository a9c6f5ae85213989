package import RefreshProtocol

/// One moment on two clocks: the wall clock and the clock of the process.
package struct SealedMoment: Hashable, Sendable, Codable {
    /// Milliseconds since 1970, UTC.
    package var wallMilliseconds: Int64
    package var instant: Instant

    package init(wallMilliseconds: Int64, instant: Instant) {
        self.wallMilliseconds = wallMilliseconds
        self.instant = instant
    }

    /// Returns how many microseconds the clock of another process is ahead of the clock of this
    /// moment. The other clock shows `now` when the wall clock shows `wallMilliseconds`.
    ///
    /// If the wall clock was set back between the two moments, the elapsed time counts as 0.
    package func shift(to now: Instant, wallMilliseconds: Int64) -> Int64 {
        let passed = max(0, wallMilliseconds.subtractingClamped(self.wallMilliseconds))
        let (microseconds, isLong) = passed.multipliedReportingOverflow(by: 1000)
        return now.microseconds.subtractingClamped(instant.microseconds)
            .subtractingClamped(isLong ? .max : microseconds)
    }
}

extension Int64 {
    fileprivate func subtractingClamped(_ other: Int64) -> Int64 {
        let (difference, isBeyond) = subtractingReportingOverflow(other)
        guard isBeyond else { return difference }
        return other > 0 ? .min : .max
    }
}
