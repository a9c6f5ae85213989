internal import CNATS
internal import Glibc

/// The system's monotonic clock.
enum MonotonicClock {
    static var nowMs: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
