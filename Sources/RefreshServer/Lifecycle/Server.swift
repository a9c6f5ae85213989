internal import Dispatch
internal import RefreshBroker
internal import RefreshProtocol
internal import Synchronization
internal import WebSocketTransport

/// The daemon: loops, broker and pages, from a configuration until it is drained.
///
/// Signals must be blocked in the thread that makes it, so that they are in all of its threads
/// (`EventLoop`). Any thread may call any method.
package final class Server: Sendable {
    private enum Phase { case made, started, stopped }

    /// As the daemon began; what other configurations replace of it is in `current`.
    let parts: ServerParts
    let current: Mutex<ServerParts>
    /// What new connections see; nil without TLS.
    let identity: Mutex<TLSIdentity?>
    let handlers: LoopHandlers
    let broker: Broker<LoadTicket>
    let loops: [EventLoop]
    private let phase = Mutex(Phase.made)

    /// How long the journals may take to be written then, milliseconds.
    static let journalMs = 500

    /// Binds every listener and makes loops and backends, in an order in which nothing is begun
    /// that a later step could fail for; nothing is served before `start`.
    package convenience init(
        _ configuration: Configuration, log: DaemonLog
    ) throws(ServerError) {
        try self.init(configuration, log: log, memory: MemoryGauge())
    }

    /// `memory`: that of the machine, or what a test says of it.
    init(
        _ configuration: Configuration, log: DaemonLog, memory: MemoryGauge
    ) throws(ServerError) {
        // The daemon's clock begins here, not with its first connection.
        _ = MonotonicClock.nowMicroseconds
        TransportLog.send { level, line in
            log(level == .error ? .libraryError : .libraryWarning, [.reason: line])
        }
        let ground: Groundwork
        do { ground = try Groundwork(configuration, log: log) } catch {
            throw .configuration(error)
        }
        let group = try Self.listeners(of: configuration, log: log)
        let outfit = LoopOutfit()
        let handlers = LoopHandlers()
        let loops = try Self.loops(
            of: configuration, on: group, identity: ground.identity, outfit, into: handlers)
        let parts: ServerParts
        do {
            parts = try Self.parts(
                of: configuration, ground, bound: group.bound, loops: loops.count,
                memory: memory, log: log)
        } catch {
            // They close their listeners.
            for loop in loops { loop.stop() }
            throw .configuration(error)
        }
        outfit.complete(parts)
        if let settings = configuration.tls { Self.warn(of: settings, log: log) }
        self.parts = parts
        current = Mutex(parts)
        identity = Mutex(ground.identity)
        self.handlers = handlers
        broker = parts.broker
        self.loops = loops
    }

    /// Where connections are accepted, in the order of the configuration.
    package var listeners: [BoundListener] { parts.bound }

    /// The counts of all loops, in their order. From any thread.
    package var metrics: [MetricsSnapshot] { parts.metrics.map(\.snapshot) }

    /// Begins to serve. A second call changes nothing.
    package func start() {
        // Within the lock: the loops wait for each other, so none may be stopped before all have
        // begun.
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
    }

    /// Looks at memory each second while there are sessions: what is short may be so when nobody
    /// new comes. Gives it back when many have left. As long as the server is there and has not
    /// been stopped.
    private func watchMemory(_ calm: CalmMoment = CalmMoment()) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 1) { [weak self] in
            guard let self, phase.withLock({ $0 == .started }) else { return }
            let now = Instant(microseconds: MonotonicClock.nowMicroseconds)
            if parts.directory.sessions.waitingBytes > 0 { parts.doorkeeper.lookAtMemory(at: now) }
            if parts.directory.newcomers.count > 0 {
                parts.doorkeeper.sessionsGrew(by: 0, at: now)
            }
            var calm = calm
            let left = metrics.reduce(0) { $0 + $1.sessionsClosed + $1.sessionsReclaimed }
            if calm.hasCome(left: left, at: now) { parts.doorkeeper.giveMemoryBack() }
            watchMemory(calm)
        }
    }

    /// Ends the loops and the broker at once and waits for them. The process need not call it: it
    /// may just exit.
    package func stop() {
        let wasRunning = phase.withLock { phase in
            defer { phase = .stopped }
            return phase == .started
        }
        guard wasRunning else { return }
        for loop in loops { loop.stop() }
        broker.stop()
        parts.stopJournals(withinMilliseconds: Self.journalMs)
    }
}
