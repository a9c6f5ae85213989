internal import Dispatch
internal import RefreshBackends
internal import RefreshBroker
package import RefreshConfiguration
internal import RefreshProtocol
internal import RefreshSession
internal import Synchronization
internal import WebSocketTransport

/// The running daemon: it owns the event loops, the broker and the HTTP pages that it serves.
///
/// The thread that creates the server must have signals blocked. All threads of the server inherit
/// this signal mask; see `EventLoop`. Any thread may call any method.
package final class Server: Sendable {
    private enum Phase { case made, started, stopped }

    /// The parts with which the daemon started. After a reload, `current` contains the parts that
    /// replaced them.
    let parts: ServerParts
    let current: Mutex<ServerParts>
    /// The certificate for new connections; nil without TLS.
    let identity: Mutex<TLSIdentity?>
    let handlers: LoopHandlers
    let broker: Broker<LoadTicket>
    let loops: [EventLoop]
    private let phase = Mutex(Phase.made)

    /// The time limit for writing journals when the daemon stops, in milliseconds.
    static let journalMs = 500

    /// Binds every listener and creates loops and backends. Steps that may fail come before steps
    /// that start something. Nothing is served before `start`.
    package convenience init(
        _ configuration: Configuration, log: DaemonLog
    ) throws(ServerError) {
        try self.init(configuration, log: log, memory: MemoryGauge())
    }

    /// `memory`: the memory of the machine, or the substitute of a test.
    init(
        _ configuration: Configuration, log: DaemonLog, memory: MemoryGauge
    ) throws(ServerError) {
        // The clock counts from its first reading. This line reads it, so that it counts from the
        // creation of the server. Without this line, it would count from the first connection.
        _ = MonotonicClock.nowMicroseconds
        TransportLog.setSink { level, line in
            log(level == .error ? .libraryError : .libraryWarning, [.reason: line])
        }
        let preflight: ConfigurationPreflight
        do { preflight = try ConfigurationPreflight(configuration, log: log) } catch {
            throw .configuration(error)
        }
        let group = try Self.listeners(of: configuration, log: log)
        let deferredParts = DeferredServerParts()
        let handlers = LoopHandlers()
        let loops = try Self.loops(
            of: configuration, on: group, identity: preflight.identity, deferredParts,
            into: handlers)
        let parts: ServerParts
        do {
            parts = try Self.parts(
                of: configuration, preflight, bound: group.bound, loops: loops.count,
                memory: memory, log: log)
        } catch {
            // Each loop closes its listeners when it stops.
            for loop in loops { loop.stop() }
            throw .configuration(error)
        }
        deferredParts.provide(parts)
        Self.warn(of: configuration, log: log)
        self.parts = parts
        current = Mutex(parts)
        identity = Mutex(preflight.identity)
        self.handlers = handlers
        broker = parts.broker
        self.loops = loops
    }

    // The broker's thread holds the broker, and would remain a node of the cluster.
    deinit { parts.cluster?.leave() }

    /// The addresses at which connections are accepted, in the order of the configuration.
    package var listeners: [BoundListener] { parts.bound }

    /// The counts of all loops, in the order of the loops. May be called on any thread.
    package var metrics: [MetricsSnapshot] { parts.metrics.map(\.snapshot) }

    /// Starts to serve. A second call has no effect.
    package func start() {
        // The loops are started within the lock. The loops wait for each other, so no loop may be
        // stopped before all have started.
        let isFirst = phase.withLock { phase in
            guard phase == .made else { return false }
            phase = .started
            for loop in loops { loop.start() }
            return true
        }
        guard isFirst else { return }
        parts.log(.starting, [.version: DaemonVersion.current, .loops: String(loops.count)])
        if let folder = parts.configuration.journalFolder {
            parts.log(.recording, [.folder: folder])
        }
        for listener in parts.bound { parts.log(.listening, [.address: listener.authority]) }
        watchMemory()
        startCluster()
    }

    private func startCluster() {
        let host = ClusterHost(
            broker: broker, limiter: parts.connectionLimiter, directory: parts.directory,
            registry: parts.watcherRegistry, log: parts.log
        ) { [weak self] in
            guard let parts = self?.current.withLock({ $0 }) else {
                return ClusterCensus(sessions: 0, workers: [])
            }
            return ClusterCensus(
                sessions: parts.admissionState.places,
                workers: parts.workers?.backend.connectedFeeds ?? [])
        }
        parts.cluster?.start(with: host)
    }

    /// Checks memory each second while there are sessions, because memory can run short without new
    /// connections. After many sessions have ended, returns free memory to the system. Repeats
    /// until the server is stopped or released.
    private func watchMemory(_ trimSchedule: MemoryTrimSchedule = MemoryTrimSchedule()) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 1) { [weak self] in
            guard let self, phase.withLock({ $0 == .started }) else { return }
            let now = Instant(microseconds: MonotonicClock.nowMicroseconds)
            if parts.directory.sessions.waitingBytes > 0 {
                parts.connectionLimiter.checkMemory(at: now)
            }
            if parts.directory.connectedSessions.count > 0 {
                parts.connectionLimiter.recordSessionGrowth(by: 0, at: now)
            }
            var trimSchedule = trimSchedule
            let left = metrics.reduce(0) {
                $0 + $1.sessions.sessionsClosed + $1.sessions.sessionsReclaimed
            }
            if trimSchedule.isTrimDue(ended: left, at: now) {
                parts.connectionLimiter.releaseFreeMemory()
            }
            watchMemory(trimSchedule)
        }
    }

    /// Stops the loops and the broker at once and waits for them. The process may exit without a
    /// call of this method.
    package func stop() {
        let wasRunning = phase.withLock { phase in
            defer { phase = .stopped }
            return phase == .started
        }
        guard wasRunning else { return }
        for loop in loops { loop.stop() }
        parts.cluster?.stop(after: broker)
        broker.stop()
        parts.stopJournals(withinMilliseconds: Self.journalMs)
    }
}
