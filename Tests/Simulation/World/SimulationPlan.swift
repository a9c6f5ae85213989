import RefreshBroker
import RefreshProtocol

/// What a simulated world is made of and what happens to it: all of it follows from the seed.
struct SimulationPlan {
    let seed: UInt64
    var clients: Int
    /// What each client does before it becomes quiet.
    var actions: Int
    var hosts: Int
    /// Daemons with the same keys that stand side by side.
    var daemons: Int
    /// Ends of daemons: some crash, some drain.
    var ends: Int
    /// Percent of the calls of backends that do not go well.
    var troubles: Int
    /// Percent of the connections that break by themselves.
    var breaks: Int
    var latency: ClosedRange<Double>
    var givesSnapshots: Bool
    var keepsPages: Bool
    /// Whether clients share their loads.
    var shares: Bool
    /// Whether a daemon has a place less than there are clients, until it becomes quiet.
    var isFull: Bool
    /// How often another configuration is taken up.
    var reloads: Int
    /// Whether the keys of snapshots change places.
    var turnsKeys: Bool
    /// Whether clients say who they are, and now and then somebody comes with what is another's.
    var asksWho: Bool
    /// Of so many sessions one is recorded; 0: none is.
    var recordedOneOf: Int
    var limits = Limits()

    init(seed: UInt64) {
        self.seed = seed
        var generator = SeededGenerator(seed: seed, 1)
        clients = 1 + generator.below(3)
        actions = 4 + generator.below(12)
        hosts = 1 + generator.below(3)
        daemons = generator.chance(30) ? 2 : 1
        ends = generator.chance(50) ? 1 + generator.below(3) : 0
        troubles = generator.pick([0, 20, 60])
        breaks = generator.pick([0, 30, 70])
        latency = generator.pick([0.2...3, 5...60, 1...400])
        givesSnapshots = generator.chance(80)
        keepsPages = generator.chance(30)
        shares = generator.chance(40)
        limits.loadDeadlineMs = 3000
        limits.helloTimeoutMs = 3000
        limits.gestureSilenceMs = 2000
        limits.resumeWindowMs = generator.pick([1500, 20_000, 60_000])
        limits.snapshotBytesMax = generator.chance(10) ? 2500 : 32_768
        limits.queueBytesMax = generator.chance(10) ? 3000 : 4_194_304
        limits.detachedSessionsMax = generator.chance(10) ? 1 : 100
        limits.itemKeysPerViewMax = 10_000
        var others = SeededGenerator(seed: seed, 3)
        isFull = clients > 1 && others.chance(40)
        reloads = others.chance(35) ? 1 + others.below(3) : 0
        turnsKeys = givesSnapshots && others.chance(25)
        asksWho = others.chance(30)
        recordedOneOf = others.chance(20) ? 1 + others.below(3) : 0
        if isFull { limits.sessionsMax = clients - 1 }
        if recordedOneOf > 0 {
            // Journals are read by who knows what limits may be.
            limits.gestureSilenceMs = 2500
            limits.queueBytesMax = max(limits.queueBytesMax, 65_536)
        }
    }

    /// How the brokers treat the feeds under those settings.
    func rules(_ settings: SimulatedSettings) -> BrokerRules {
        var feeds: [String: BrokerRules.Feed] = [:]
        for kind in SimulatedFeed.Kind.allCases {
            var policy = FeedPolicy()
            if keepsPages, kind != .live {
                policy.cache = .init(lifetimeMs: 400, staleMs: 600, failureMs: 50)
            }
            if kind == .live { policy.itemKey = JSONPointer("/k") }
            feeds[kind.rawValue] = .init(group: "simulated", policy: policy)
        }
        if settings.isSecond {
            feeds[SimulatedSettings.further] = .init(group: "simulated", policy: FeedPolicy())
        }
        var backend = BackendPolicy()
        backend.retry.attempts = 2
        backend.retry.budgetPercent = 100
        backend.breaker.failures = 8
        backend.breaker.openMs = 300
        var rules = BrokerRules(feeds: feeds, backends: ["simulated": backend])
        rules.loadDeadlineMs = settings.limits.loadDeadlineMs
        return rules
    }

    /// Whether snapshots have room for what tells items apart.
    ///
    /// A daemon that has started with another first key cannot compare what those before have seen.
    var remembersItems: Bool { limits.snapshotBytesMax > 10_000 && !turnsKeys }

    /// In a few words.
    var summary: String {
        "\(clients) clients, \(actions) actions each, \(daemons) daemons of \(hosts) hosts, "
            + "\(ends) ends, troubles \(troubles)%, breaks \(breaks)%, latency \(latency) ms, "
            + "snapshots \(givesSnapshots), cache \(keepsPages), shared \(shares), "
            + "window \(limits.resumeWindowMs) ms, full \(isFull), \(reloads) reloads, "
            + "keys turn \(turnsKeys), subjects \(asksWho), recorded 1 of \(recordedOneOf)"
    }
}
