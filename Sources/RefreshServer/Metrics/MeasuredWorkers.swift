package import RefreshBroker

/// The workers of a backend as the metrics see them: processes of the daemon's own, or those that
/// have connected in.
package struct MeasuredWorkers: Sendable {
    /// The backend's name; of those that have connected in: `worker`, whatever feeds they serve.
    package let name: String
    package let kind: BackendKind
    /// How many the daemon keeps running; nil of those that come by themselves.
    package let processes: Int?
    /// The numbers now; any thread.
    package let counters: @Sendable () -> WorkerCounters

    package init(
        name: String, kind: BackendKind, processes: Int? = nil,
        counters: @escaping @Sendable () -> WorkerCounters
    ) {
        self.name = name
        self.kind = kind
        self.processes = processes
        self.counters = counters
    }
}
