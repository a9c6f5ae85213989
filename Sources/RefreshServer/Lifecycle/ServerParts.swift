/// What the loops of one server share; all of it may be used on any thread.
struct ServerParts: Sendable {
    var configuration: Configuration
    var log: DaemonLog
    var occupancy: Occupancy
    var doorkeeper: Doorkeeper
    var proxies: ProxyTrust
    var gate: GatePolicy
    var pages: HTTPPages
    var feeds: [FeedDescription]
    /// Nil: no feed is served by workers.
    var workers: WorkerReception?
    /// Nil: sessions are not recorded.
    var journals: JournalWriter?
    /// Where clients say who they are.
    var entrance: Entrance
    /// Nil: no sealed snapshots are given or taken.
    var seal: SnapshotSeal?
    /// One a loop.
    var metrics: [LoopMetrics]
}
