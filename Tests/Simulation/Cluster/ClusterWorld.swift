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

    /// The time in milliseconds within which each change is shown at each view, after the last of
    /// these events: the change itself, the healing of the cluster, and the `welcome` of the
    /// client.
    static let shownMs = 8000.0

    let plan: ClusterPlan
    let bus: SimulatedBus
    let monitor: CallMonitor
    var generator: SeededGenerator
    /// The version of the messages of daemons that start now.
    var version: Int
    var reports: [Report] = []
    var holders: [String: Holder] = [:]

    init(_ plan: ClusterPlan, _ world: SimulationPlan, _ agenda: Agenda) {
        self.plan = plan
        version = plan.isUpgraded ? plan.firstVersion : 1
        generator = SeededGenerator(seed: world.seed, 15)
        bus = SimulatedBus(plan, agenda: agenda, seed: SeededGenerator(seed: world.seed, 16))
        monitor = CallMonitor(agenda: agenda, bus: bus, isHealthy: world.troubles == 0)
    }

    /// Connects the rules to the world that they belong to.
    func connect(to simulation: Simulation, isLogging: Bool) {
        monitor.fail = { [unowned simulation] in simulation.fail(.calls, $0) }
        if isLogging { bus.log = { [unowned simulation] in simulation.record($0) } }
    }
}
