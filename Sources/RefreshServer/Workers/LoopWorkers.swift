internal import RefreshProtocol
internal import WebSocketTransport

/// The workers of one loop: the workers of the configured backend, and the workers of replaced
/// backends that are still connected. Only the loop's thread uses this object.
final class LoopWorkers {
    private let log: DaemonLog
    /// Runs a job with this object on the loop's thread. May be called on any thread.
    private let post: @Sendable (@escaping @Sendable (LoopWorkers) -> Void) -> Void
    private var reception: WorkerReception?
    /// Nil if no feed uses workers.
    private var current: WorkerConnections?
    private var former: [WorkerConnections] = []

    init(
        _ reception: WorkerReception?, log: DaemonLog,
        post: @escaping @Sendable (@escaping @Sendable (LoopWorkers) -> Void) -> Void
    ) {
        self.log = log
        self.post = post
        self.reception = reception
        current = reception.map(connections)
    }

    private func connections(of reception: WorkerReception) -> WorkerConnections {
        // The job finds its workers by `reception`, because `current` can be another object when
        // the job runs.
        WorkerConnections(reception, log: log) { [post, reception] job in
            post { workers in
                workers.all.first { $0.reception === reception }.map(job)
            }
        }
    }

    private var all: [WorkerConnections] { former + (current.map { [$0] } ?? []) }

    /// The number of workers of the whole daemon, on all loops.
    var count: Int { reception?.count ?? 0 }

    /// Applies another configuration. It can have another worker backend, or none.
    func apply(_ reception: WorkerReception?) {
        guard self.reception !== reception else { return }
        self.reception = reception
        // When the last load of the replaced backend has ended, the backend sends `bye` to all its
        // workers.
        if let current, !current.isEmpty { former.append(current) }
        current = reception.map(connections)
    }

    func opened(_ connection: Connection, name: String, at now: Instant) {
        current?.opened(connection, name: name, at: now)
    }

    func closed(_ connection: Connection) {
        owner(of: connection)?.closed(connection)
        former.removeAll(where: \.isEmpty)
    }

    func received(_ message: Span<UInt8>, isBinary: Bool, on connection: Connection) {
        owner(of: connection)?.received(message, isBinary: isBinary, on: connection)
    }

    func messageRefused(_ breach: MessageBreach, on connection: Connection) {
        owner(of: connection)?.messageRefused(breach, on: connection)
    }

    /// Closes the connections of all workers because the daemon stops.
    func drain() {
        for workers in all { workers.drain() }
    }

    func closeOverdue(at now: Instant) {
        for workers in all { workers.closeOverdue(at: now) }
    }

    /// The earliest deadline of any of the workers.
    var nextDeadline: Instant? { all.compactMap(\.nextDeadline).min() }

    /// Returns the group of workers that a connection belongs to.
    private func owner(of connection: Connection) -> WorkerConnections? {
        former.first { $0.contains(connection) } ?? current
    }
}
