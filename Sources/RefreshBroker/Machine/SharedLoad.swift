internal import RefreshProtocol

/// One load and all its waiters. It consists of one call, or of several in sequence if it is
/// retried.
struct SharedLoad<Waiter: Sendable>: Sendable {
    let key: RequestKey
    /// The trigger that started it.
    let trigger: LoadTrigger
    let feed: Int
    let group: Int
    let idempotencyKey: String
    var phase = SharedLoadPhase.pausing
    /// Whether its feed changed while the call was running. Later requests need a newer answer, so
    /// none joins this load and its answer is not cached.
    var isOutdated = false
    /// Whether it loads a following page of a list that has a newer first page. Its answer is then
    /// not cached.
    var isForReplacedList = false
    /// The number of calls started.
    var attempt = 0
    var waiters = WaiterList<Waiter>()
    /// The deadline of the cache, if the load must replace a stale answer; otherwise nil.
    var cacheDeadline: Instant?
    /// The time at which the call must have returned, the pause ends or, in the queue,
    /// `cacheDeadline`.
    var timer: Instant?
    /// The time of the last progress event.
    var lastProgressAt: Instant?
    /// Progress that came too soon after the last event, and the time at which it will be
    /// delivered.
    var pendingProgress: (value: Double, at: Instant)?

    /// Whether a waiter or the cache still needs its answer.
    var isWanted: Bool { !waiters.isEmpty || cacheDeadline != nil }

    /// The latest deadline of the present waiters and the cache.
    var lastDeadline: Instant? {
        [waiters.lastDeadline, cacheDeadline].compactMap { $0 }.max()
    }
}

/// The phase of a load that is still wanted. From every phase, the load ends with an outcome for
/// all waiters, or when no waiter is left.
enum SharedLoadPhase: Hashable, Sendable {
    /// It is in its backend's queue. Becomes `calling` at its turn.
    case queued
    /// The call with this identity is running. Becomes `pausing` if it fails and may be retried.
    case calling(CallID)
    /// It has no call. Becomes `calling` or `queued` when the pause is over.
    case pausing
}
