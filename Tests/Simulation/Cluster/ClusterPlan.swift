import RefreshProtocol

/// The bus of a world whose daemons form a cluster, and what happens to the bus and the nodes.
struct ClusterPlan {
    /// The usual delay of a message, in milliseconds.
    var delay: ClosedRange<Double>
    /// The percentage of messages that arrive twice.
    var duplicates: Int
    /// Whether the messages of one node arrive at another one in the order in which they were sent.
    var isOrdered: Bool
    /// The number of faults of the bus before the quiet phase.
    var faults: Int
    /// The number of changes that are reported before the quiet phase.
    var changes: Int
    /// Whether the nodes are upgraded one after another to another version of the messages.
    var isUpgraded: Bool
    /// The version of the messages before the upgrade.
    var firstVersion: Int
    /// The store of the sessions.
    var store: StorePlan
    /// The rule that the nodes break on purpose.
    var defect: ClusterDefect?

    init(_ generator: inout SeededGenerator, store: StorePlan) {
        self.store = store
        delay = generator.pick([0.2...2, 0.5...8, 1...30])
        duplicates = generator.pick([0, 5, 30])
        isOrdered = generator.chance(50)
        faults = generator.chance(80) ? 1 + generator.below(6) : 0
        changes = generator.below(8)
        isUpgraded = generator.chance(25)
        firstVersion = generator.pick([1, 2])
    }

    var summary: String {
        "bus: delay \(delay) ms, duplicates \(duplicates)%, ordered \(isOrdered), "
            + "\(faults) faults, \(changes) changes, "
            + "\(store.isReplicated ? "replicated" : "single") store, "
            + "\(store.faults) store faults, "
            + "upgrade \(isUpgraded ? "from version \(firstVersion)" : "none")"
    }
}

/// The bucket in which the nodes note who holds a session.
struct StorePlan {
    /// Whether several servers of the bus have the bucket, if there are three.
    var isReplicated: Bool
    /// The number of faults of the bucket and its servers before the quiet phase.
    var faults: Int

    init(_ generator: inout SeededGenerator) {
        isReplicated = generator.chance(50)
        faults = generator.chance(50) ? 1 + generator.below(3) : 0
    }
}

extension SimulationPlan {
    /// The plan of a world whose daemons form a cluster.
    static func cluster(_ seed: UInt64) -> SimulationPlan {
        var plan = SimulationPlan(seed: seed)
        var generator = SeededGenerator(seed: seed, 5)
        var storeGenerator = SeededGenerator(seed: seed, 6)
        plan.cluster = ClusterPlan(&generator, store: StorePlan(&storeGenerator))
        plan.daemons = 2 + generator.below(3)
        plan.clients = 2 + generator.below(4)
        plan.actions = 10 + generator.below(25)
        plan.ends = generator.chance(60) ? 1 + generator.below(4) : 0
        plan.troubles = generator.pick([0, 0, 20])
        plan.breaks = generator.pick([0, 30, 50])
        plan.shares = generator.chance(80)
        plan.authenticates = plan.authenticates && generator.chance(50)
        plan.keepsPages = generator.chance(40)
        // A full daemon closes connections, and the rules of a cluster forbid that.
        plan.isFull = false
        plan.limits.sessionsMax = Limits().sessionsMax
        plan.limits.detachedSessionsMax = 100
        plan.limits.resumeWindowMs = generator.pick([20_000, 60_000])
        return plan
    }
}
