internal import RefreshBroker

/// The pool's record of a worker.
struct PooledWorker: Sendable {
    let feeds: Set<String>
    /// The loads, and perhaps the edits, of the feeds.
    let kinds: Set<WorkKind>
    let capacity: Int
    /// The loads that the worker is processing, without those that were revoked.
    var assigned: Set<CallID> = []
    /// The revoked loads. The pool has sent a `cancel` to the worker for each of them. Each revoked
    /// load occupies one of the `capacity` places until the worker answers it or its grace period
    /// is over. The value is the serial number of the grace period.
    var revoked: [CallID: UInt64] = [:]
    /// The serial number of the worker's last assignment. Before the first assignment, it is the
    /// serial number with which the worker joined.
    var lastAssignedAt: UInt64

    init(feeds: Set<String>, capacity: Int, edits: Bool, servedAt: UInt64) {
        self.feeds = feeds
        kinds = Set(feeds.map { WorkKind($0) }).union(
            edits ? feeds.map { WorkKind($0, isForEdits: true) } : [])
        self.capacity = capacity
        self.lastAssignedAt = servedAt
    }

    /// The number of occupied places.
    var used: Int { assigned.count + revoked.count }

    /// Whether this worker is preferred over `other` for the next load.
    func precedes(_ other: PooledWorker) -> Bool {
        let (mine, others) = (used * other.capacity, other.used * capacity)
        return mine == others ? lastAssignedAt < other.lastAssignedAt : mine < others
    }
}

/// The identity of one worker of a backend. A worker is a process or a connection. The identity is
/// never reused.
package struct WorkerID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }
}

/// The reason why the daemon ends the connection or the process of a worker.
package enum WorkerDismissal: Hashable, Sendable {
    case invalidMessage(WorkerMessageFault)
    /// The worker did not answer a revoked load within the grace period.
    case overdue
}
