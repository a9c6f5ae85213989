import Glibc

/// The daemon's clock: CLOCK_MONOTONIC, from about the start of the process.
package enum MonotonicClock {
    private static let origin = rawMicroseconds

    /// Microseconds since the process first looked at this clock; never goes back.
    package static var nowMicroseconds: Int64 {
        let start = origin
        return max(0, rawMicroseconds - start)
    }

    private static var rawMicroseconds: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
