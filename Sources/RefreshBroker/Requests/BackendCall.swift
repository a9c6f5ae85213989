package import RefreshProtocol

/// One call of a backend: the request, and what distinguishes this call from others at the same.
package struct BackendCall: Sendable {
    /// Never used twice while the daemon runs.
    package let id: FlightID
    package let request: LoadRequest
    /// The same in every attempt at the same load.
    package let idempotencyKey: String
    /// 1, and one more with each retry.
    package let attempt: Int
    /// After it nobody waits for the answer; of the system's monotonic clock.
    package let deadline: Instant
    /// Tells how far the call is, 0...1. From any thread; what comes after the answer is dropped.
    package let report: @Sendable (Double) -> Void

    package init(
        id: FlightID = FlightID(0), _ request: LoadRequest, idempotencyKey: String = "",
        attempt: Int = 1, deadline: Instant = .never,
        report: @escaping @Sendable (Double) -> Void = { _ in }
    ) {
        self.id = id
        self.request = request
        self.idempotencyKey = idempotencyKey
        self.attempt = attempt
        self.deadline = deadline
        self.report = report
    }

    /// Milliseconds that are left, 0 at least, and at most a day.
    package var remainingMs: Int {
        let microseconds = deadline.microseconds - MonotonicTime.now.microseconds
        return Int(min(max(0, microseconds / 1000), 86_400_000))
    }
}
