internal import RefreshProtocol

/// One load for all who wait for it: one call, or several in turn if it is tried again.
struct Flight<Waiter: Sendable>: Sendable {
    let key: RequestKey
    /// What began it.
    let trigger: LoadTrigger
    let feed: Int
    let group: Int
    let idempotencyKey: String
    var phase = FlightPhase.pausing
    /// Its feed changed while it called: who comes later wants a newer answer. Nobody joins it, and
    /// nothing of it is kept.
    var isOvertaken = false
    /// It is of a page that follows, and its list has a newer first page: its answer is not kept.
    var isOfOldList = false
    /// Calls begun.
    var attempt = 0
    var waiters = WaiterList<Waiter>()
    /// So long the cache waits too: it is to replace a stale answer. Nil: it does not.
    var cacheDeadline: Instant?
    /// When the call must have returned, the pause is over, or (in the queue) `cacheDeadline`.
    var timer: Instant?
    /// When progress was last told.
    var progressTold: Instant?
    /// Progress that came too soon after it, and when it is told.
    var progressWaiting: (value: Double, at: Instant)?

    /// Whether anybody wants its answer.
    var isWanted: Bool { !waiters.isEmpty || cacheDeadline != nil }

    /// After it nobody waits who waits now.
    var lastDeadline: Instant? {
        [waiters.lastDeadline, cacheDeadline].compactMap { $0 }.max()
    }
}
