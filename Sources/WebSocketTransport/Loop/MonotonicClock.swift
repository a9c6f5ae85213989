import Glibc

/// The daemon's clock: CLOCK_MONOTONIC, with its zero near the start of the process.
package enum MonotonicClock {
    private static let origin = rawMicroseconds

    /// Microseconds since the process first read this clock. The value never decreases.
    package static var nowMicroseconds: Int64 {
        let start = origin
        return max(0, rawMicroseconds - start)
    }

    /// Returns a time of this clock as milliseconds of CLOCK_MONOTONIC, rounded up.
    static func rawMilliseconds(notBefore microseconds: Int64) -> Int64 {
        let raw = origin.addingReportingOverflow(microseconds)
        return raw.overflow
            ? .max : raw.partialValue / 1_000 + (raw.partialValue % 1_000 > 0 ? 1 : 0)
    }

    private static var rawMicroseconds: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
