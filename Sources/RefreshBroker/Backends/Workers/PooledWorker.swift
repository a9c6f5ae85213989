/// The pool's record of a worker.
struct PooledWorker: Sendable {
    let feeds: Set<String>
    let capacity: Int
    /// The loads that the worker is processing and that were not revoked.
    var assigned: Set<CallID> = []
    /// The revoked loads, which occupy a place until they are answered. The value is the serial
    /// number of the load's grace period.
    var revoked: [CallID: UInt64] = [:]
    /// The serial number of the worker's last assignment; before the first assignment, that of its
    /// joining.
    var lastAssignedAt: UInt64

    init(feeds: Set<String>, capacity: Int, servedAt: UInt64) {
        self.feeds = feeds
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

/// The identity of one worker of a backend, a process or a connection. It is never reused.
package struct WorkerID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }
}

/// The reason for dismissing a worker.
package enum WorkerDismissal: Hashable, Sendable {
    case invalidMessage(WorkerMessageFault)
    /// The worker did not answer a revoked load within the grace period.
    case overdue
}
