internal import Glibc
package import RefreshProtocol
internal import WebSocketTransport

/// The two clocks that authenticators use.
package struct AccessClock: Sendable {
    /// The daemon's monotonic clock, for deadlines.
    package var now: @Sendable () -> Instant
    /// The wall clock, in seconds since 1970. The times in JSON Web Tokens refer to it.
    package var unixSeconds: @Sendable () -> Double

    package init(
        now: @escaping @Sendable () -> Instant, unixSeconds: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.unixSeconds = unixSeconds
    }

    /// The clocks of the system.
    package static let system = AccessClock(
        now: { Instant(microseconds: MonotonicClock.nowMicroseconds) },
        unixSeconds: {
            var time = timespec()
            unsafe clock_gettime(CLOCK_REALTIME, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        })
}
