internal import Glibc
internal import RefreshProtocol

/// The system's monotonic clock, for the broker's own deadlines.
enum MonotonicTime {
    static var now: Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
}
