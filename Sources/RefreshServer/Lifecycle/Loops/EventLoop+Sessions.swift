package import RefreshProtocol
package import WebSocketTransport

/// An event loop that hosts sessions.
extension EventLoop: SessionLoop {
    package func run(_ job: @escaping @Sendable (_ now: Instant) -> Void) {
        post { job(Instant(microseconds: MonotonicClock.nowMicroseconds)) }
    }

    package func scheduleWakeup(at moment: Instant) { scheduleWakeup(at: moment.microseconds) }
}
