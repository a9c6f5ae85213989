internal import RefreshProtocol

/// One load and all its waiters, which are the sessions' loads that wait for its answer. The load
/// consists of one call, or of several calls in sequence if it is retried. In a cluster, another
/// node may be asked to perform the load. Calls of this node follow only if that node does not
/// answer.
struct SharedLoad<Waiter: Sendable>: Sendable {
    let key: RequestKey
    /// The control that requested the load.
    let trigger: LoadTrigger
    let feed: Int
    let group: Int
    let idempotencyKey: String
    /// The edit that the load performs; nil if it requests a page.
    var edit: EditRequest?
    /// Whether the backend may have performed the edit, although a call has failed.
    var mayBePerformed = false
    var phase = SharedLoadPhase.pausing
    /// Whether the load's feed has changed while its call was running. Later requests then need a
    /// newer answer: they do not join this load, and its answer is not cached.
    var isOutdated = false
    /// Whether the load requests a following page of a list, and the list already has a newer first
    /// page. If so, the answer is not cached.
    var isForReplacedList = false
    /// The number of calls that were started for this load.
    var attempt = 0
    var waiters = WaiterList<Waiter>()
    /// The requests of series for this page.
    var pageUses: [PageUse] = []
    /// If the load must replace a stale answer in the cache: the time until which the cache waits
    /// for the new answer. Nil for other loads.
    var cacheDeadline: Instant?
    /// The time at which the present phase ends. It is the deadline of the call, the end of the
    /// pause, or the time until which the asked node must report. While the load is queued, it is
    /// `cacheDeadline`.
    var timer: Instant?
    /// The time of the last progress event.
    var lastProgressAt: Instant?
    /// Progress that arrived too soon after the last progress event, and the time at which the
    /// progress will be delivered.
    var pendingProgress: (value: Double, at: Instant)?

    /// Whether a waiter, a series or the cache still needs the load's answer.
    var isNeeded: Bool { !waiters.isEmpty || !pageUses.isEmpty || cacheDeadline != nil }

    /// The latest deadline of the present waiters and of the cache. The waiters of series are not
    /// included.
    var lastDeadline: Instant? {
        [waiters.lastDeadline, cacheDeadline].compactMap { $0 }.max()
    }
}

/// The phase of a load that has not ended. In every phase, the load can end with an outcome for all
/// waiters, or because nothing needs it any more.
enum SharedLoadPhase: Hashable, Sendable {
    /// The load is in its backend's queue. The next phase is `calling`.
    case queued
    /// The call with this identity is running. If it fails and may be retried, the next phase is
    /// `pausing`.
    case calling(CallID)
    /// The load has no call. After the pause, the next phase is `calling` or `queued`. An edit also
    /// waits in this phase, without a timer, until the earlier edits of its sequence have ended.
    case pausing
    /// The node that owns the request was asked to perform the load. The identity is the ask's. If
    /// that node does not answer, the next phase is `asking` with another node, `calling` or
    /// `queued`.
    case asking(CallID, NodeID)

    /// Whether a backend may have read the data for the load's answer.
    var mayHaveRead: Bool {
        switch self {
        case .calling, .asking: true
        case .queued, .pausing: false
        }
    }
}
