import RefreshBroker
import RefreshCluster
import RefreshConfiguration
import RefreshProtocol
import RefreshServer
import RefreshSession
import SealedSnapshots

/// One process of the daemon: hosts, each on its own loop, and a broker. A crash discards the whole
/// state of the process.
final class SimulatedDaemon {
    private struct RunningHost {
        let loop: SimulatedLoop
        let host: SessionHost
        let metrics: SessionMetrics
    }

    private let agenda: Agenda
    private let broker: SimulatedBroker
    private let directory: LoopDirectory
    private let seal: SnapshotSeal?
    private let admissionState = AdmissionState()
    private let origin: Int64
    let variant: ServerVariant
    private var runningHosts: [RunningHost] = []
    private var connections: [ObjectIdentifier: SimulatedConnection] = [:]
    private(set) var isEnded = false
    /// Whether the daemon rejects new connections.
    private(set) var isDraining = false
    /// The daemon's part in a cluster. Nil if it runs alone.
    private(set) var node: SimulatedNode?
    private let defect: ClusterDefect?
    private let liveDefect: LiveDefect?
    /// Reads the changes of other nodes. Nil if no feed has live items.
    private let reader: ChangeReader?
    /// Nil if the daemon claims no sessions.
    private let fencing: SimulatedFencing?

    /// `number` is unique among all daemons of the world.
    init(
        number: Int, plan: SimulationPlan, settings: SimulatedSettings, keys: KeyRing,
        backends: SimulatedBackends, agenda: Agenda, monitor: CallMonitor? = nil,
        journal: @escaping () -> SimulatedJournal?
    ) {
        self.agenda = agenda
        let clock = agenda.clock
        fencing = plan.cluster != nil && plan.sealsSnapshots ? SimulatedFencing() : nil
        directory = LoopDirectory(
            seed: 0,
            isClustered: plan.cluster.map { $0.defect != .forgetsEarlierChanges } ?? false,
            fence: fencing)
        origin = clock.now.microseconds - 1_000_000
        broker = SimulatedBroker(
            plan.rules(settings), agenda: agenda, backends: backends, directory: directory,
            itemHash: keys.itemHash, seed: SeededGenerator(seed: plan.seed, 10, number),
            variant: plan.variant, monitor: monitor)
        variant = plan.variant
        defect = plan.cluster?.defect
        liveDefect = plan.live?.defect
        reader = backends.board?.reader
        directory.applyChangePolicies(plan.readers?.changePolicies ?? [:])
        seal =
            plan.sealsSnapshots
            ? SnapshotSeal(
                keys, limits: settings.limits, wallMilliseconds: { clock.wallMilliseconds })
            : nil
        let feeds = settings.feeds
        let authenticationService =
            plan.authenticates
            ? AuthenticationService(
                SimulatedAuthenticator(agenda, seed: SeededGenerator(seed: plan.seed, 13, number)),
                deadlineMs: plan.limits.authDeadlineMs, log: .silent,
                clock: AccessClock(
                    now: { clock.now },
                    unixSeconds: { Double(clock.wallMilliseconds) / 1000 })) : nil
        for index in 0..<plan.hosts {
            let loop = SimulatedLoop(
                agenda, origin: origin, seed: SeededGenerator(seed: plan.seed, 11, number, index))
            let metrics = SessionMetrics(
                feeds: feeds.map { MeasuredFeed(name: $0.name, kind: "simulated") })
            let services = SessionServices(
                limits: settings.limits, feeds: feeds, loads: broker, metrics: metrics, seal: seal)
            services.itemHash = keys.itemHash
            let randomBits = RandomBits(SeededGenerator(seed: plan.seed, 12, number, index))
            let host = SessionHost(
                loop: loop, index: UInt16(index), services: services, directory: directory,
                authenticationService: authenticationService, admissionState: admissionState,
                draw: { randomBits.next() },
                journal: { _ in journal() })
            loop.host = host
            directory.register(host, index: UInt16(index))
            runningHosts.append(RunningHost(loop: loop, host: host, metrics: metrics))
        }
        broker.liveDefect = liveDefect
        broker.reportChange = { [weak self] in self?.feedChanged($0) }
    }

    deinit { directory.close() }

    /// Random bits for names and tokens, reproducible from the seed.
    private final class RandomBits {
        private var generator: SeededGenerator

        init(_ generator: SeededGenerator) { self.generator = generator }

        func next() -> UInt64 { generator.next() }
    }

    /// Makes the daemon a node of a cluster. `place`: see `SimulatedNode`.
    func join(
        _ bus: SimulatedBus, number: Int, place: Int, version: Int, feeds: [FeedDescription],
        seed: SeededGenerator, recordClaim: @escaping (String, ClaimVerdict, Double) -> Void,
        recordReturn: @escaping (String, SimulatedConnection, Bool) -> Void
    ) {
        let node = SimulatedNode(
            number: number, place: place, version: version, agenda: agenda, bus: bus,
            broker: broker, feeds: feeds.map(\.name), seed: seed, defect: defect,
            notify: { [weak self] in self?.notify($0, isOfOtherNode: true) },
            reader: reader, countSessions: { [admissionState] in admissionState.places },
            fencedSessions: fencing.map { _ in directory }, record: recordClaim)
        fencing?.node = node
        fencing?.recordReturn = { [weak self] session, name, isClaim in
            guard let connection = self?.connection(ofSession: name) else { return }
            recordReturn(session, connection, isClaim)
        }
        node.busLost = { [weak self] in self?.closeSessionsBecauseOfDefect() }
        self.node = node
    }

    private func closeSessionsBecauseOfDefect() {
        guard defect == .closesSessions else { return }
        for running in runningHosts {
            running.host.post { $0.drain(spreadMs: 10, loadsMs: 10, at: $1) }
        }
    }

    // MARK: Its end

    /// Ends the process at once, as `kill -9` does.
    func crash() {
        guard !isEnded else { return }
        isEnded = true
        for running in runningHosts { running.loop.end() }
        broker.end()
        node?.end()
        for connection in connections.values.sorted(by: { $0.number < $1.number }) {
            connection.processEnded()
        }
        connections = [:]
    }

    /// Drains the daemon, as SIGTERM does: the daemon rejects new connections, closes all sessions,
    /// and ends 2.5 s later.
    func drain() {
        guard !isEnded, !isDraining else { return }
        isDraining = true
        for running in runningHosts {
            running.host.post { $0.drain(spreadMs: 1000, loadsMs: 2000, at: $1) }
        }
        agenda.after(2500) { [self] in
            if !isEnded { node?.stop() }
            crash()
        }
    }

    // MARK: What operators do

    /// Applies other settings. The broker receives the settings before any session can request a
    /// new feed. Each loop then applies the settings between two of its jobs.
    func reload(_ settings: SimulatedSettings, _ plan: SimulationPlan, remade: Set<String>) {
        guard !isEnded else { return }
        broker.change(to: plan.rules(settings), remade: remade)
        node?.share(settings.feeds.map(\.name))
        seal?.replaceLimits(with: settings.limits)
        for running in runningHosts {
            running.host.post { host, _ in
                host.apply(
                    limits: settings.limits, feeds: settings.feeds,
                    indicators: IndicatorCatalogue())
            }
        }
    }

    /// Replaces the keys that seal snapshots.
    func replaceKeys(_ keys: KeyRing) { if !isEnded { seal?.replaceKeys(with: keys) } }

    // MARK: Connections

    /// The frame that arrives in place of the one that the daemon has sent.
    func sent(_ frame: [UInt8]) -> [UInt8] { liveDefect?.sent(frame) ?? variant.sent(frame) }

    /// Opens a session. Returns nil if the connection is rejected.
    func opened(_ connection: SimulatedConnection, on host: Int) -> Session? {
        guard !isEnded, !isDraining else { return nil }
        connections[ObjectIdentifier(connection)] = connection
        return runningHosts[host].host.opened(connection, at: runningHosts[host].loop.now)
    }

    func receive(_ frame: [UInt8], by session: Session, on host: Int) {
        guard !isEnded else { return }
        let frame =
            defect?.received(frame) ?? liveDefect?.received(frame) ?? variant.received(frame)
        _ = runningHosts[host].host.receive(
            frame.span, by: session, at: runningHosts[host].loop.now)
    }

    func becameWritable(_ session: Session, on host: Int) {
        guard !isEnded else { return }
        _ = runningHosts[host].host.becameWritable(session, at: runningHosts[host].loop.now)
    }

    func closed(_ session: Session, _ connection: SimulatedConnection, on host: Int) {
        guard !isEnded else { return }
        connections[ObjectIdentifier(connection)] = nil
        runningHosts[host].host.closed(session, at: runningHosts[host].loop.now)
    }

    // MARK: Backends

    /// A backend reports that a feed has newer data.
    func feedChanged(_ change: FeedChange) {
        guard !isEnded else { return }
        // The cluster must know the change before a load that it causes asks another node.
        node?.reportFeedChange(change)
        broker.feedChanged(change.feed)
        notify(change, isOfOtherNode: false)
    }

    private func notify(_ change: FeedChange, isOfOtherNode: Bool) {
        guard let liveDefect else { return directory.scheduleNotification(of: change) }
        if let change = liveDefect.notified(change, isOfOtherNode: isOfOtherNode) {
            directory.scheduleNotification(of: change)
        }
    }

    // MARK: Inspection

    /// The number of clients that have received `welcome` and whose connections are open.
    var admittedClients: Int { connections.values.count { $0.isWelcomed && $0.isStanding } }

    /// Whether the daemon does not notice that a client has closed its connection.
    var keepsConnections: Bool { defect == .keepsConnections }

    /// Whether a session with this name is at the daemon.
    func hasSession(_ name: String) -> Bool { !isEnded && directory.hasSession(name) }

    /// The newest connection whose session has this name.
    private func connection(ofSession name: String) -> SimulatedConnection? {
        connections.values.filter { $0.sessionName == name }.max { $0.number < $1.number }
    }

    /// The connections that the daemon considers open.
    var standingConnections: [SimulatedConnection] { connections.values.filter(\.isStanding) }

    /// The session in a snapshot. Nil if this daemon cannot open the snapshot.
    func open(_ sealed: String, for claim: SnapshotClaim) -> SessionSnapshot? {
        let now = Instant(microseconds: agenda.now.microseconds - origin)
        return try? seal?.open(sealed, for: claim, at: now)
    }

    /// The resources that the daemon has not released after all clients have left, as text.
    var leftovers: [String] {
        guard !isEnded else { return [] }
        var found: [String] = []
        guard var sum = runningHosts.first?.metrics.snapshot else { return [] }
        for running in runningHosts.dropFirst() { sum += running.metrics.snapshot }
        if sum.sessions != 0 { found.append("there are \(sum.sessions) sessions") }
        if sum.views != 0 { found.append("there are \(sum.views) views") }
        if sum.detached != 0 { found.append("\(sum.detached) sessions are detached") }
        if admissionState.places != 0 {
            found.append("\(admissionState.places) admission places are in use")
        }
        if !broker.isEmpty { found.append("the broker holds \(broker.counters)") }
        if node?.isIdle == false { found.append("the node has loads of other nodes") }
        return found
    }
}
