package import RefreshProtocol

/// One call of a backend. It consists of the request, and of the properties that distinguish this
/// call from other calls for the same request.
package struct BackendCall: Sendable {
    /// The identity of the call. It is unique while the daemon runs.
    package let id: CallID
    package let request: LoadRequest
    /// The idempotency key of the load. It is the same in every attempt.
    package let idempotencyKey: String
    /// The number of the attempt: 1 for the first call, and one more for each retry.
    package let attempt: Int
    /// The time after which no session needs the answer, on the system's monotonic clock.
    package let deadline: Instant
    /// Reports the progress of the call, 0...1, from any thread. A report after the answer is
    /// dropped.
    package let report: @Sendable (Double) -> Void

    package init(
        id: CallID = CallID(0), _ request: LoadRequest, idempotencyKey: String = "",
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

    /// The remaining time in milliseconds, at least 0 and at most one day.
    package var remainingMs: Int { deadline.remainingMs }
}

extension Instant {
    /// The remaining time until this instant of the system's monotonic clock, in milliseconds, at
    /// least 0 and at most one day.
    var remainingMs: Int {
        let microseconds = microseconds - MonotonicTime.now.microseconds
        return Int(min(max(0, microseconds / 1000), 86_400_000))
    }
}
