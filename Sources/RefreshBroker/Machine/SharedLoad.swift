internal import RefreshProtocol

/// One load and all its waiters. The load consists of one call, or of several calls in sequence if
/// it is retried.
struct SharedLoad<Waiter: Sendable>: Sendable {
    let key: RequestKey
    /// The trigger that started the load.
    let trigger: LoadTrigger
    let feed: Int
    let group: Int
    let idempotencyKey: String
    var phase = SharedLoadPhase.pausing
    /// Whether its feed changed while the call was running. Later requests then need a newer
    /// answer: they do not join this load, and its answer is not cached.
    var isOutdated = false
    /// Whether the load requests a following page of a list, and the list already has a newer first
    /// page. If so, the answer is not cached.
    var isForReplacedList = false
    /// The number of calls started.
    var attempt = 0
    var waiters = WaiterList<Waiter>()
    /// The requests of series for this page.
    var pageUses: [PageUse] = []
    /// The deadline of the cache: if the load must replace a stale answer in the cache, the time
    /// until which the cache waits for it. Nil for other loads.
    var cacheDeadline: Instant?
    /// The time at which the present phase ends. It is the deadline of the call, or the end of the
    /// pause. In the queue, it is `cacheDeadline`.
    var timer: Instant?
    /// The time of the last progress event.
    var lastProgressAt: Instant?
    /// Progress that arrived too soon after the last event, with the time at which it will be
    /// delivered.
    var pendingProgress: (value: Double, at: Instant)?

    /// Whether a waiter, a series or the cache still needs the load's answer.
    var isNeeded: Bool { !waiters.isEmpty || !pageUses.isEmpty || cacheDeadline != nil }

    /// The latest deadline of the present waiters and of the cache, without those of series.
    var lastDeadline: Instant? {
        [waiters.lastDeadline, cacheDeadline].compactMap { $0 }.max()
    }
}

/// The phase of a load that is still wanted. From every phase, the load ends with an outcome for
/// all waiters, or when no waiter is left.
enum SharedLoadPhase: Hashable, Sendable {
    /// The load is in its backend's queue. The next phase is `calling`.
    case queued
    /// The call with this identity is running. If it fails and may be retried, the next phase is
    /// `pausing`.
    case calling(CallID)
    /// The load has no call. After the pause, the next phase is `calling` or `queued`.
    case pausing
}
