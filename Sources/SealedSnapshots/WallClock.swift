internal import Glibc

/// The system's wall clock. Unlike the daemon's monotonic clock, it can be set.
package enum WallClock {
    /// Milliseconds since 1970, UTC.
    @Sendable
    package static func nowMilliseconds() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
