internal import RefreshBroker
internal import RefreshConfiguration
internal import RefreshProtocol
internal import RefreshSession
internal import WebSocketTransport

/// Handles the connections of one event loop: admits them, and passes each to the component for its
/// kind. `SessionHost` handles sessions. `LoopWorkers` handles workers. `LoopOperators` handles
/// operators. `EchoConnections` handles connections to the conformance echo, which sends back each
/// message. `LoopHandler+Pages` answers requests that are not upgrades.
///
///     socket -> Connection -> received -> SessionHost -> SessionLink -> Connection -> socket
///
/// The handler is `@unchecked Sendable`, because other threads have references to it in order to
/// call `post`. `post` uses only `loop`, which accepts jobs from any thread. `gate`, `pages`,
/// `metrics`, `log`, `admissionState`, `connectionLimiter` and `proxies` are Sendable. Everything
/// else is used on the loop's thread only, where the transport calls the handler and where posted
/// jobs run.
final class LoopHandler: TransportHandler, @unchecked Sendable {
    /// The kind of an admitted connection. The transport keeps it with the connection.
    enum Tag {
        static let session = 0
        static let echo = 1
        static let worker = 2
        static let watcher = 3
    }

    /// The sampling rate of latencies. Of `latencySampling` updates that are sent without waiting,
    /// one is timed, and its latency is counted for all of them. If the clock were read twice for
    /// each message, the second reading would cost about fifty instructions.
    private static let latencySampling = 16

    /// The loop. The loop retains this handler until the loop ends.
    private let loop: EventLoop
    let index: UInt16
    private(set) var limits: Limits
    private(set) var gate: GatePolicy
    private(set) var pages: HTTPPages
    let admissionState: AdmissionState
    let connectionLimiter: ConnectionLimiter
    let proxies: ProxyTrust
    let foreignOrigins = MinuteInterval()
    let foreignHosts = MinuteInterval()
    let authenticationService: AuthenticationService
    let metrics: LoopMetrics
    let log: DaemonLog

    /// The loop's sessions.
    let host: SessionHost
    private var echoes = EchoConnections()
    let workers: LoopWorkers
    let operators: LoopOperators
    private var unsampledUpdates = 0

    init(
        loop: EventLoop, index: UInt16, shared: ServerParts
    ) {
        self.loop = loop
        self.index = index
        limits = shared.configuration.limits
        gate = shared.gate
        pages = shared.pages
        admissionState = shared.admissionState
        connectionLimiter = shared.connectionLimiter
        proxies = shared.proxies
        metrics = shared.metrics[Int(index)]
        log = shared.log
        let journals = shared.journals
        let authenticationService = shared.authenticationService
        self.authenticationService = authenticationService
        let services = SessionServices(
            limits: limits, feeds: shared.feeds.descriptions,
            indicators: IndicatorCatalogue(shared.configuration.indicators),
            loads: BrokeredLoads(broker: shared.broker, directory: shared.directory),
            metrics: metrics.sessions, seal: shared.seal)
        services.itemHash = shared.feeds.notices.reader.hash
        host = SessionHost(
            loop: loop, index: index, services: services,
            directory: shared.directory, authenticationService: authenticationService,
            admissionState: admissionState,
            connectionLimiter: connectionLimiter, log: log, journals: shared.requestedJournals,
            journal: { journals?.makeJournal(ofSession: $0) })
        workers = LoopWorkers(shared.workers, log: shared.log) { [loop] job in
            Self.post(on: loop) { job($0.workers) }
        }
        operators = LoopOperators(
            shared.admin, registry: shared.watcherRegistry, directory: shared.directory,
            cluster: shared.cluster
        ) { [loop] job in
            Self.post(on: loop) { job($0.operators) }
        } answer: { [unowned loop] ticket, response in
            loop.answer(ticket, with: response)
        }
    }

    /// Applies another configuration.
    func apply(_ shared: ServerParts) {
        let configuration = shared.configuration
        limits = configuration.limits
        gate = shared.gate
        pages = shared.pages
        operators.apply(shared.admin)
        metrics.sessions.loads.update(feeds: shared.feeds.measured)
        loop.setHeadTimeout(ms: limits.headTimeoutMs)
        host.apply(
            limits: limits, feeds: shared.feeds.descriptions,
            indicators: IndicatorCatalogue(configuration.indicators))
        workers.apply(shared.workers)
    }

    /// Runs `job` on the thread of the loop, and passes the loop's handler to it. May be called on
    /// any thread.
    private static func post(
        on loop: EventLoop, _ job: @escaping @Sendable (LoopHandler) -> Void
    ) {
        loop.postToHandler { ($0 as? LoopHandler).map(job) }
    }

    /// Runs `job` on the loop's thread. May be called on any thread.
    func post(_ job: @escaping @Sendable (LoopHandler) -> Void) {
        loop.post { job(self) }
    }

    var now: Instant { Instant(microseconds: MonotonicClock.nowMicroseconds) }

    // MARK: Opening and closing

    func opened(_ connection: Connection) {
        if connection.tag == Tag.worker {
            workers.opened(connection, name: SessionName.text(.random(in: .min ... .max)), at: now)
            return scheduleWorkerDeadline()
        }
        if connection.tag == Tag.watcher {
            return operators.opened(connection)
        }
        guard connection.tag == Tag.session else {
            return echoes.opened(connection)
        }
        // The daemon may have begun to stop after `admit`. The session gets its place under
        // `sessionsMax` later, when its client is admitted.
        guard admissionState.addConnection() else {
            let code = FaultCode.draining
            connection.close(
                code: (code.closeCode ?? .overloaded).rawValue, reason: code.rawValue)
            return
        }
        let link = SessionLink(connection: connection)
        connection.setOwner(link)
        link.session = host.opened(link, at: now)
    }

    func closed(_ connection: Connection) {
        if connection.tag == Tag.worker {
            return workers.closed(connection)
        }
        if connection.tag == Tag.watcher {
            return operators.closed(connection)
        }
        guard connection.tag == Tag.session else {
            return echoes.closed(connection)
        }
        guard let link = connection.owner as? SessionLink, let session = link.session else {
            return
        }
        link.session = nil
        host.closed(session, at: now)
        admissionState.removeConnection()
    }

    /// Stops accepting connections. Only operators can still connect, so that they can watch the
    /// stop. Then ends each session at its scheduled time; the transport calls `closed` for each.
    func drain(_ settings: DrainSettings) {
        loop.closeListeners(keepingReserve: true)
        host.drain(spreadMs: settings.spreadMs, loadsMs: settings.loadsMs, at: now)
    }

    /// Closes the connections of workers and of the echo. Sessions need the workers until they have
    /// ended.
    func drainWorkersAndEchoes() {
        workers.drain()
        echoes.drain()
    }

    // MARK: Messages

    func received(_ message: Span<UInt8>, isBinary: Bool, on connection: Connection) {
        guard connection.tag == Tag.session else {
            return receivedOutsideSession(message, isBinary: isBinary, on: connection)
        }
        guard let link = connection.owner as? SessionLink, let session = link.session else {
            return
        }
        let now = now
        link.isWaiting = false
        link.hasSent = false
        var didSendUpdate = false
        if isBinary {
            host.receiveBinary(bytes: message.count, by: session, at: now)
        } else {
            didSendUpdate = host.receive(message, by: session, at: now)
        }
        if didSendUpdate {
            sampleLatency(since: now)
        } else if link.isWaiting, link.waitingSince == nil {
            link.waitingSince = now
        }
    }

    /// Handles messages that do not belong to sessions. This is a separate function, so that these
    /// messages do not slow down the messages of sessions.
    @inline(never)
    private func receivedOutsideSession(
        _ message: Span<UInt8>, isBinary: Bool, on connection: Connection
    ) {
        switch connection.tag {
        case Tag.worker: workers.received(message, isBinary: isBinary, on: connection)
        // A watcher sends nothing.
        case Tag.watcher: return
        default: echoes.received(message, isBinary: isBinary, on: connection)
        }
    }

    func buffered(bytes: Int) { connectionLimiter.recordSessionGrowth(by: bytes, at: now) }

    func messageRefused(_ breach: MessageBreach, on connection: Connection) {
        metrics.connections.recordBreach(breach)
        if connection.tag == Tag.worker {
            return workers.messageRefused(breach, on: connection)
        }
        guard let link = connection.owner as? SessionLink, let session = link.session else {
            return
        }
        switch breach {
        case .tooBig: host.end(session, because: .frameTooLarge, at: now)
        case .notText: host.end(session, because: .invalidText, at: now)
        case .tooManyFrames: host.end(session, because: .tooManyFrames, at: now)
        }
    }

    func messageDropped(on connection: Connection) {
        if connection.tag == Tag.session { metrics.sessions.recordVoidFrame() }
    }

    func upgradeRefused(status: Int) {
        metrics.connections.recordUpgradeRefused(status: status)
        log(.upgradeRefused, [.status: String(status), .loop: String(index)])
    }

    func becameWritable(_ connection: Connection) {
        if connection.tag == Tag.watcher {
            return operators.becameWritable(connection)
        }
        guard let link = connection.owner as? SessionLink, let session = link.session else {
            return
        }
        let now = now
        let didSendUpdate = host.becameWritable(session, at: now)
        if didSendUpdate, let since = link.waitingSince {
            metrics.sessions.recordUpdateLatency(
                microseconds: now.microseconds - since.microseconds)
            link.waitingSince = nil
        }
    }

    private func sampleLatency(since start: Instant) {
        unsampledUpdates += 1
        guard unsampledUpdates >= Self.latencySampling else { return }
        unsampledUpdates = 0
        metrics.sessions.recordUpdateLatency(
            microseconds: now.microseconds - start.microseconds, count: Self.latencySampling)
    }

    func wakeupFired() {
        let now = now
        workers.closeOverdue(at: now)
        operators.expireRequests(at: now)
        scheduleWorkerDeadline()
        scheduleOperatorDeadline()
        host.wakeupFired(at: now)
    }

    func ticked() { host.checkWallClock(at: now) }

    private func scheduleWorkerDeadline() {
        if let next = workers.nextDeadline { loop.scheduleWakeup(at: next) }
    }

    func scheduleOperatorDeadline() {
        if let next = operators.nextDeadline { loop.scheduleWakeup(at: next) }
    }
}
