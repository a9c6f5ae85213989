package import RefreshProtocol

/// What the machine says of a backend call that is to begin.
package struct CallOrder: Hashable, Sendable {
    package var id: FlightID
    /// As the backend is to see it: of a shared feed without the subject.
    package var request: LoadRequest
    /// Of the session that began the load; the same in every attempt.
    package var idempotencyKey: String
    /// 1, and one more with each retry.
    package var attempt: Int
    /// After it nobody waits who waits now.
    package var deadline: Instant

    package init(
        id: FlightID, _ request: LoadRequest, idempotencyKey: String, attempt: Int,
        deadline: Instant
    ) {
        self.id = id
        self.request = request
        self.idempotencyKey = idempotencyKey
        self.attempt = attempt
        self.deadline = deadline
    }
}
