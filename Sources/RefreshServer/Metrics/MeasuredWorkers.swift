package import RefreshBackends
package import RefreshConfiguration

/// The workers of a backend with their labels in the metrics: processes of the daemon, or connected
/// workers.
package struct MeasuredWorkers: Sendable {
    /// The backend's name. For connected workers, whatever their feeds, it is `worker`.
    package let name: String
    package let kind: BackendKind
    /// How many processes the daemon keeps running; nil for connected workers.
    package let processes: Int?
    /// Returns the current counts. Any thread may call this closure.
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
