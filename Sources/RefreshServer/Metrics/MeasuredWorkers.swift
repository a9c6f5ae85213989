package import RefreshBroker
package import RefreshConfiguration

/// The workers of a backend, as the metrics label them: processes of the daemon, or connected
/// workers.
package struct MeasuredWorkers: Sendable {
    /// The backend's name; for connected workers `worker`, whatever feeds they serve.
    package let name: String
    package let kind: BackendKind
    /// How many processes the daemon keeps running; nil for connected workers.
    package let processes: Int?
    /// The current numbers; any thread may call it.
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
