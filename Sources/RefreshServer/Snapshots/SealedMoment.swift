package import RefreshProtocol

/// One moment on two clocks: that of the world, and that of the process.
package struct SealedMoment: Hashable, Sendable, Codable {
    /// Since 1970, UTC.
    package var wallMilliseconds: Int64
    package var instant: Instant

    package init(wallMilliseconds: Int64, instant: Instant) {
        self.wallMilliseconds = wallMilliseconds
        self.instant = instant
    }

    /// By how much a clock shows more that stands at `now` when the world's shows
    /// `wallMilliseconds`; microseconds.
    ///
    /// A world's clock that was set back since counts as if no time had passed.
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
