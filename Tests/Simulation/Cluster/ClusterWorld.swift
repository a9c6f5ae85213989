import RefreshProtocol

/// What a world knows of its cluster: the bus, the calls of the nodes, the reported changes and the
/// holders of sessions.
final class ClusterWorld {
    /// A change that was reported at a daemon.
    struct Report {
        let feed: String
        let at: Instant
        let daemon: SimulatedDaemon
    }

    /// The daemon at which a session was last welcomed.
    struct Holder {
        let daemon: SimulatedDaemon
        /// The time since which the session is at this daemon.
        let since: Instant
    }

    /// A connection that has claimed a session, or has resumed it at the node that had it.
    struct Return {
        let connection: SimulatedConnection
        let at: Instant
        /// Whether the node had the session and did not reach the store, so that no entry shows
        /// when the client returned.
        let isUnwritten: Bool
    }

    /// The time in milliseconds within which each change is shown at each view, after the last of
    /// these events: the change itself, the healing of the cluster, and the `welcome` of the
    /// client.
    static let shownMs = 8000.0

    let plan: ClusterPlan
    let bus: SimulatedBus
    let monitor: CallMonitor
    var generator: SeededGenerator
    /// Decides when the store fails, and where credentials are presented again.
    var fenceGenerator: SeededGenerator
    /// The version of the messages of daemons that start now.
    var version: Int
    var reports: [Report] = []
    var holders: [String: Holder] = [:]
    /// The sessions that two daemons may have had without an entry in the store that shows which of
    /// them was later: they were rebuilt without an answer of the store, or the store has lost its
    /// entries before the earlier daemon has learned of the claim.
    var unfencedSessions: Set<String> = []
    /// The returns of each session's client, in the order in which the daemons handled them.
    var returns: [String: [Return]] = [:]
    /// The last claim of each session that was answered, and the last loss of the entries.
    var claimedAt: [String: Instant] = [:]
    var storeLostAt = Instant(milliseconds: -SimulatedBus.storeSettlingMs)
    /// The time until which two daemons may have a session, because a client has just moved, or
    /// because superseded credentials were presented.
    var handoversEnd = Instant.origin

    init(_ plan: ClusterPlan, _ world: SimulationPlan, _ agenda: Agenda) {
        self.plan = plan
        version = plan.isUpgraded ? plan.firstVersion : 1
        generator = SeededGenerator(seed: world.seed, 15)
        fenceGenerator = SeededGenerator(seed: world.seed, 18)
        bus = SimulatedBus(plan, places: world.daemons, agenda: agenda, seed: world.seed)
        monitor = CallMonitor(agenda: agenda, bus: bus, isHealthy: world.troubles == 0)
    }

    /// Connects the rules to the world that they belong to.
    func connect(to simulation: Simulation, isLogging: Bool) {
        monitor.fail = { [unowned simulation] in simulation.fail(.calls, $0) }
        bus.storeLost = { [unowned simulation] in simulation.recordStoreLoss() }
        if isLogging { bus.log = { [unowned simulation] in simulation.record($0) } }
    }
}
