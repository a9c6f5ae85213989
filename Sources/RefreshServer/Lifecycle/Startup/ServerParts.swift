internal import RefreshBroker
internal import RefreshConfiguration
internal import RefreshProtocol
internal import RefreshSession
internal import SealedSnapshots

/// The parts that the loops of one server share. All of them may be used on any thread.
///
/// `ServerParts` is a value. A reload creates another value (`applying`), which each loop applies
/// between two messages.
struct ServerParts: Sendable {
    private(set) var configuration: Configuration
    let log: DaemonLog
    let admissionState: AdmissionState
    let connectionLimiter: ConnectionLimiter
    let proxies: ProxyTrust
    /// Finds the hosts of the sessions (`SessionHost`), and delivers events to these hosts.
    let directory: LoopDirectory
    /// Limits the number of watchers (see `Watcher`).
    let watcherRegistry: WatcherRegistry
    /// Authenticates clients.
    let authenticationService: AuthenticationService
    /// The addresses at which connections are accepted.
    let bound: [BoundListener]
    let broker: Broker<LoadTicket>
    /// The daemon's part in a cluster; nil if the configuration has no cluster.
    let cluster: ClusterService?
    /// Writes the journals of all sessions; nil if the configuration does not record all sessions.
    let journals: JournalWriter?
    /// The journals that operators request.
    let requestedJournals: RequestedJournals
    /// Writes the requested journals, if they have a separate folder.
    private let requestedWriter: JournalWriter?
    /// Seals snapshots; nil if they are neither sent nor accepted.
    let seal: SnapshotSeal?
    /// The metrics of each loop.
    let metrics: [LoopMetrics]
    /// When the process began, in seconds since 1970, UTC.
    let startSeconds: Double

    // The following parts are derived from the configuration.
    private(set) var gate: GatePolicy
    private(set) var pages: HTTPPages
    private(set) var admin: AdminRequests
    private(set) var feeds: Feeds
    /// Admits workers; nil if no feed is served by workers.
    private(set) var workers: WorkerReception?

    init(
        _ configuration: Configuration, feeds: Feeds, log: DaemonLog, bound: [BoundListener],
        broker: Broker<LoadTicket>, cluster: ClusterService?, loops: Int,
        connectionLimiter: ConnectionLimiter, proxies: ProxyTrust,
        directory: LoopDirectory, watcherRegistry: WatcherRegistry,
        authenticationService: AuthenticationService,
        journals: JournalWriter?,
        requestedJournals: RequestedJournals, requestedWriter: JournalWriter?,
        seal: SnapshotSeal?, startSeconds: Double
    ) {
        self.configuration = configuration
        self.feeds = feeds
        self.log = log
        self.bound = bound
        self.broker = broker
        self.cluster = cluster
        self.connectionLimiter = connectionLimiter
        self.proxies = proxies
        self.directory = directory
        self.watcherRegistry = watcherRegistry
        self.authenticationService = authenticationService
        self.journals = journals
        self.requestedJournals = requestedJournals
        self.requestedWriter = requestedWriter
        self.seal = seal
        self.startSeconds = startSeconds
        admissionState = AdmissionState()
        metrics = (0..<loops).map { _ in LoopMetrics(feeds: feeds.measured) }
        let tokens = AccessTokens(configuration.tokens)
        gate = Self.gate(configuration, bound, feeds)
        pages = Self.pages(
            configuration, gate: gate, tokens: tokens, feeds: feeds, admissionState: admissionState,
            metrics: metrics, broker: broker, cluster: cluster,
            connectionLimiter: connectionLimiter,
            authenticationService: authenticationService,
            directory: directory, watcherRegistry: watcherRegistry, journals: requestedJournals,
            startSeconds: startSeconds)
        admin = AdminRequests(gate: gate, tokens: tokens)
        workers = feeds.workers.map {
            WorkerReception($0, limits: configuration.limits, tokens: tokens)
        }
    }

    /// Returns the same parts with another configuration and its feeds. If the new feeds use the
    /// current worker backend, the workers of this backend stay connected. `Server.reload` then
    /// passes the configuration to the current `WorkerReception`.
    func applying(_ configuration: Configuration, feeds: Feeds) -> ServerParts {
        var parts = self
        let tokens = AccessTokens(configuration.tokens)
        parts.configuration = configuration
        parts.feeds = feeds
        parts.gate = Self.gate(configuration, bound, feeds)
        parts.pages = Self.pages(
            configuration, gate: parts.gate, tokens: tokens, feeds: feeds,
            admissionState: admissionState,
            metrics: metrics, broker: broker, cluster: cluster,
            connectionLimiter: connectionLimiter,
            authenticationService: authenticationService,
            directory: directory, watcherRegistry: watcherRegistry, journals: requestedJournals,
            startSeconds: startSeconds)
        parts.admin = AdminRequests(gate: parts.gate, tokens: tokens)
        if feeds.workers !== workers?.backend {
            parts.workers = feeds.workers.map {
                WorkerReception($0, limits: configuration.limits, tokens: tokens)
            }
        }
        return parts
    }

    /// Writes the pending journal entries, for at most `limit` milliseconds.
    func stopJournals(withinMilliseconds limit: Int) {
        journals?.stop(withinMilliseconds: limit)
        requestedWriter?.stop(withinMilliseconds: limit)
    }

    private static func gate(
        _ configuration: Configuration, _ bound: [BoundListener], _ feeds: Feeds
    ) -> GatePolicy {
        GatePolicy(
            listeners: bound, origins: configuration.origins,
            servesDemo: configuration.servesDemo, proxies: configuration.proxies,
            isGuarded: configuration.isAuthWritten,
            servesEcho: configuration.servesEcho, sessionsMax: configuration.limits.sessionsMax,
            workersMax: feeds.workers == nil ? 0 : configuration.limits.workersMax)
    }

    private static func pages(
        _ configuration: Configuration, gate: GatePolicy, tokens: AccessTokens, feeds: Feeds,
        admissionState: AdmissionState, metrics: [LoopMetrics], broker: Broker<LoadTicket>,
        cluster: ClusterService?, connectionLimiter: ConnectionLimiter,
        authenticationService: AuthenticationService, directory: LoopDirectory,
        watcherRegistry: WatcherRegistry,
        journals: RequestedJournals, startSeconds: Double
    ) -> HTTPPages {
        let changes = ChangeRequests(
            gate: gate, tokens: tokens, feeds: Set(feeds.descriptions.map(\.name)),
            notices: feeds.notices)
        var clusterStatus: (@Sendable () -> ClusterStatus)?
        if let cluster { clusterStatus = { cluster.status } }
        return HTTPPages(
            gate: gate, changes: changes, admin: AdminRequests(gate: gate, tokens: tokens),
            servesDemo: configuration.servesDemo,
            isReady: { !admissionState.isStopping },
            cluster: clusterStatus,
            metrics: {
                MetricsPage(
                    loops: metrics.map(\.snapshot), broker: broker.counters,
                    backends: feeds.measuredBackends, workers: feeds.measuredWorkers,
                    streams: feeds.streams,
                    census: connectionLimiter.census, auth: authenticationService.metrics,
                    usage: .now,
                    watchers: watcherRegistry.count, sessionPlaces: admissionState.places,
                    detachedBytes: directory.sessions.waitingBytes, journals: journals.counts,
                    cluster: cluster?.status,
                    startSeconds: startSeconds
                ).text
            })
    }
}
