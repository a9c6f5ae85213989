package import RefreshProtocol

/// The instruction of the state machine `LoadBroker` to start a backend call.
package struct CallOrder: Hashable, Sendable {
    package var id: CallID
    /// The request as the backend receives it. It has no subject if the feed is shared.
    package var request: LoadRequest
    /// The idempotency key from the session that started the load. It is the same in every attempt.
    package var idempotencyKey: String
    /// The number of the attempt: 1 for the first call, and one more for each retry.
    package var attempt: Int
    /// The deadline of the call: the latest deadline of the sessions that wait for the load. If the
    /// load must replace a stale answer in the cache, the deadline is at least
    /// `SharedLoad.cacheDeadline`.
    package var deadline: Instant

    package init(
        id: CallID, _ request: LoadRequest, idempotencyKey: String, attempt: Int,
        deadline: Instant
    ) {
        self.id = id
        self.request = request
        self.idempotencyKey = idempotencyKey
        self.attempt = attempt
        self.deadline = deadline
    }
}
