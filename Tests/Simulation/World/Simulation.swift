import RefreshBroker
import RefreshConfiguration
import RefreshProtocol
import RefreshServer
import RefreshSession
import SealedSnapshots

/// A world of daemons, clients, a network and backends, on one thread and on simulated time. The
/// plan determines the whole course of the world, and a seed determines the plan.
///
///     clients ── connections ──▶ hosts ── mailboxes ──▶ broker's machine ──▶ backends
///
/// In the first phase, clients act and failures occur. Then a quiet phase begins: connections are
/// restored, backends answer all requests, and every client resumes. Some conditions are checked at
/// each frame, others after the quiet phase.
package final class Simulation {
    /// The longest duration of the first phase, and the duration of the quiet phase, in
    /// milliseconds.
    private static let actingMs = 90_000.0
    private static let quietMs = 45_000.0

    let plan: SimulationPlan
    let agenda = Agenda()
    let keys = KeyRing.ephemeral()
    let laterKeys = KeyRing.ephemeral()
    /// The keys that daemons currently seal with.
    var ring: KeyRing
    /// The settings that daemons currently use.
    var settings: SimulatedSettings
    let backends: SimulatedBackends
    var generator: SeededGenerator
    private(set) var daemons: [SimulatedDaemon] = []
    /// The daemons that were replaced while they drained.
    private(set) var replacedDaemons: [SimulatedDaemon] = []
    private var daemonsMade = 0
    private var connectionsMade = 0
    private(set) var clients: [SimulatedClient] = []
    /// The clients of a live list, in place of `clients`.
    private(set) var liveClients: [LiveClient] = []
    var journals: [SimulatedJournal] = []
    var sessionsOpened = 0
    private var trace = TraceHash()
    private var tally: [String: Int] = [:]
    private(set) var failure: String?
    private(set) var isQuiet = false
    /// The bus of the cluster, the calls of its nodes, and its changes. Nil without a cluster.
    let cluster: ClusterWorld?
    private var log: [String]?

    init(_ plan: SimulationPlan, isLogging: Bool = false) {
        self.plan = plan
        ring = keys
        settings = SimulatedSettings(plan)
        backends = SimulatedBackends(plan, hashedBy: keys.itemHash)
        generator = SeededGenerator(seed: plan.seed, 2)
        cluster = plan.cluster.map { [agenda] in ClusterWorld($0, plan, agenda) }
        if isLogging { log = [] }
        cluster?.connect(to: self, isLogging: isLogging)
    }

    /// Runs the world from its beginning to its end.
    func run() -> SimulationVerdict {
        for place in 0..<plan.daemons { daemons.append(makeDaemon(at: place)) }
        for number in 0..<plan.clients { addClient(number) }
        planEnds()
        if cluster == nil { planChanges() } else { planCluster() }
        planReloads()
        planKeys()
        planEdits()
        planLiveChanges()
        pass(Self.actingMs) {
            $0.clients.allSatisfy(\.isSettled) && $0.liveClients.allSatisfy(\.isSettled)
        }
        becomeQuiet()
        planRest()
        planClusterRest()
        planLiveRest()
        pass(Self.quietMs) { _ in false }
        for client in clients where failure == nil { checkCurrentLists(of: client) }
        checkAgreement()
        for client in clients { client.leave() }
        for client in liveClients { client.leave() }
        planReplaysAfterBye()
        pass(Double(plan.limits.resumeWindowMs) + 30_000) { _ in false }
        for daemon in daemons where failure == nil {
            for leftover in daemon.leftovers { fail("after all clients have left, \(leftover)") }
        }
        if let mistake = backends.ledger.mistakes.first { fail(mistake) }
        replayJournals()
        defer { agenda.clear() }
        return SimulationVerdict(
            plan: plan, failure: failure, failedAt: agenda.now, trace: trace.value, tally: tally,
            log: log ?? [])
    }

    private func addClient(_ number: Int) {
        guard let live = plan.live else {
            let client = SimulatedClient(number, in: self, plan: plan)
            clients.append(client)
            client.after(client.generator.milliseconds(0, 300)) { $0.connect() }
            return client.scheduleAction()
        }
        let client = LiveClient(number, in: self, plan: plan, live: live)
        liveClients.append(client)
        client.after(client.generator.milliseconds(0, 300)) { $0.connect() }
        client.scheduleAction()
    }

    private func checkAgreement() {
        for client in clients where failure == nil { checkQuiet(client) }
        for client in clients { client.requestSnapshot() }
        pass(2000) { _ in false }
        for client in clients where failure == nil {
            compareEngines(of: client, on: daemons[client.daemonIndex])
        }
        let before = clients.map(\.views)
        for client in clients where failure == nil { client.hangUp() }
        pass(8000) { _ in false }
        for (client, views) in zip(clients, before) where failure == nil {
            compare(views, with: client)
        }
    }

    private func pass(_ milliseconds: Double, unless isOver: (Simulation) -> Bool) {
        let end = agenda.now.advanced(byMilliseconds: milliseconds)
        agenda.run(until: end) { failure != nil || isOver(self) }
    }

    // MARK: Daemons

    private func makeDaemon(at place: Int) -> SimulatedDaemon {
        daemonsMade += 1
        let daemon = SimulatedDaemon(
            number: daemonsMade, plan: plan, settings: settings, keys: ring, backends: backends,
            agenda: agenda, monitor: cluster?.monitor,
            journal: { [unowned self] in nextJournal() })
        if let cluster {
            daemon.join(
                cluster.bus, number: daemonsMade, place: place, version: cluster.version,
                feeds: settings.feeds, seed: SeededGenerator(seed: plan.seed, 14, daemonsMade),
                recordClaim: { [unowned self] in recordClaim(of: $0, $1, afterMs: $2) },
                recordReturn: { [unowned self] in recordReturn(to: $0, on: $1, isClaim: $2) })
        }
        return daemon
    }

    private func planEnds() {
        for _ in 0..<plan.ends {
            let index = generator.below(plan.daemons)
            let crashes = generator.chance(65)
            let downMs = generator.milliseconds(0, 1500)
            agenda.after(generator.milliseconds(100, 8000)) { [self] in
                guard !isQuiet else { return }
                count("daemon", crashes ? "crashes" : "drains")
                record("the daemon at \(index) \(crashes ? "crashes" : "drains")")
                let daemon = daemons[index]
                if crashes { daemon.crash() } else { daemon.drain() }
                // If a daemon ends twice within one outage, the second end finds a daemon that has
                // already ended.
                agenda.after(downMs) { [self] in replace(daemon, at: index) }
            }
        }
    }

    /// Replaces a daemon that has ended, or is about to end, with a new process. If the daemon was
    /// already replaced, nothing happens.
    func replace(_ daemon: SimulatedDaemon, at index: Int) {
        guard daemons[index] === daemon else { return }
        if !daemon.isEnded { replacedDaemons.append(daemon) }
        daemons[index] = makeDaemon(at: index)
    }

    private func planChanges() {
        for _ in 0..<generator.below(4) {
            let feed = generator.pick(SimulatedFeed.Kind.allCases)
            agenda.after(generator.milliseconds(100, 8000)) { [self] in
                if feed == .live { backends.grow(feed.rawValue, by: 1 + generator.below(5)) }
                for daemon in daemons { daemon.feedChanged(FeedChange(feed.rawValue)) }
            }
        }
    }

    // MARK: The network

    func connect(_ client: any SimulatedPeer) -> SimulatedConnection {
        connectionsMade += 1
        // In the quiet phase, a client reconnects to the same daemon unless that daemon has ended.
        if !isQuiet || daemons[client.daemonIndex].isEnded {
            client.daemonIndex = client.faultGenerator.below(daemons.count)
        }
        let connection = SimulatedConnection(
            connectionsMade, of: client, to: daemons[client.daemonIndex],
            host: client.faultGenerator.below(plan.hosts), agenda: agenda, latency: plan.latency,
            seed: SeededGenerator(seed: plan.seed, 30, client.number, client.connections))
        let breaks = client.faultGenerator.chance(plan.breaks)
        let lifetime = client.faultGenerator.milliseconds(20, 4000)
        let (clientDelay, hostDelay): (Double, Double) =
            client.faultGenerator.pick([(5, 5), (5, 9000), (12_000, 5), (300, 800), (4000, 4000)])
        if breaks, !isQuiet {
            agenda.after(lifetime) { [self] in
                if !isQuiet { connection.failNetwork(client: clientDelay, host: hostDelay) }
            }
        }
        return connection
    }

    // MARK: Quiet

    private func becomeQuiet() {
        isQuiet = true
        backends.isQuiet = true
        record("it becomes quiet")
        if plan.isFull {
            settings.open()
            applySettings()
        }
        healCluster()
        for index in daemons.indices where daemons[index].isEnded || daemons[index].isDraining {
            let daemon = daemons[index]
            agenda.after(2000) { [self] in replace(daemon, at: index) }
        }
    }

    /// Checks that a page was requested with the idempotency key of its load. The check is skipped
    /// if another load can have caused the same call.
    func checkKey(_ answer: Int?, _ load: String, of client: SimulatedClient, viewAt index: Int) {
        guard !plan.shares, !plan.keepsPages, client.sessionsBegun == 1, let answer,
            let session = client.session
        else { return }
        // Two views of one client can make the same request. A view that was closed can also have
        // made this request.
        guard client.feedsUsed.count(where: { $0 == client.views[index].feed }) == 1 else { return }
        guard let recorded = backends.ledger.answers[answer] else {
            return fail("client \(client.number) received an answer that no backend sent")
        }
        // In a cluster, the owner of a request can still perform an earlier load of the session:
        // for a node that has crashed, or because the message that cancels the load is lost.
        let owner = cluster == nil ? "\(session.name)-\(load)-" : "\(session.name)-"
        if !recorded.key.hasPrefix(owner) {
            fail("client \(client.number) received load \(load) under the key \(recorded.key)")
        }
    }

    // MARK: Recording

    /// Fails because of a rule of a cluster, or the same rule of a world without a cluster.
    func fail(_ rule: ClusterRule, _ what: String) {
        fail(cluster == nil ? what : "[\(rule.rawValue)] \(what)")
    }

    func fail(_ what: String) {
        guard failure == nil else { return }
        failure = what
        record(what)
    }

    func count(_ kind: String, _ what: String) { tally(kind, what, 1) }

    func tally(_ kind: String, _ what: String, _ number: Int) {
        tally["\(kind) \(what)", default: 0] += number
    }

    func record(_ frame: [UInt8], of client: Int, up: Bool) {
        trace.record(Int(agenda.now.microseconds))
        trace.record(client)
        trace.record(frame)
        guard log != nil else { return }
        record("\(client) \(up ? ">" : "<") \(String(decoding: frame, as: UTF8.self))")
    }

    func record(_ what: String) { log?.append("\(agenda.now.milliseconds) \(what)") }
}
