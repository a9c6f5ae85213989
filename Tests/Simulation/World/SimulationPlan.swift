import RefreshBroker
import RefreshProtocol

/// The parts of a simulated world and the events in it. All of them follow from the seed.
struct SimulationPlan {
    let seed: UInt64
    var clients: Int
    /// The number of actions of each client before the quiet phase.
    var actions: Int
    var hosts: Int
    /// The number of daemons that run in parallel with the same keys.
    var daemons: Int
    /// How many times a daemon crashes or drains.
    var ends: Int
    /// The percentage of backend calls that are late, hang, are answered twice or fail.
    var troubles: Int
    /// The percentage of connections that fail.
    var breaks: Int
    var latency: ClosedRange<Double>
    var sealsSnapshots: Bool
    var keepsPages: Bool
    /// Whether clients share their loads.
    var shares: Bool
    /// Whether a daemon allows one session fewer than there are clients, until the quiet phase.
    var isFull: Bool
    /// The number of reloads.
    var reloads: Int
    /// Whether the operators rotate the snapshot keys.
    var rotatesKeys: Bool
    /// Whether clients authenticate. If clients authenticate, a client occasionally uses the
    /// credentials of another client.
    var authenticates: Bool
    /// Every n-th session is recorded; 0 records none.
    var recordedOneOf: Int
    var limits = Limits()
    /// The model lists. Nil if the clients use no features.
    var readers: ReaderPlan?
    /// The cluster that the daemons form. Nil if each daemon runs alone.
    var cluster: ClusterPlan?
    /// The live list. Nil if the clients have other feeds.
    var live: LivePlan?
    var variant = ServerVariant.correct

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
        sealsSnapshots = generator.chance(80)
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
        rotatesKeys = sealsSnapshots && others.chance(25)
        authenticates = others.chance(30)
        recordedOneOf = others.chance(20) ? 1 + others.below(3) : 0
        if isFull { limits.sessionsMax = clients - 1 }
        if recordedOneOf > 0 {
            // The replay of a journal checks that limits are within their allowed ranges.
            limits.gestureSilenceMs = 2500
            limits.queueBytesMax = max(limits.queueBytesMax, 65_536)
        }
    }

    /// The broker's rules for the feeds under these settings.
    func rules(_ settings: SimulatedSettings) -> BrokerRules {
        var feeds: [String: BrokerRules.Feed] = [:]
        for kind in SimulatedFeed.Kind.allCases {
            var policy = FeedPolicy()
            if keepsPages, kind != .live {
                policy.cache = .init(lifetimeMs: 400, staleMs: 600, failureMs: 50)
                // In a cluster, a page is fresh until a change, so that an old page is noticed.
                if cluster != nil {
                    policy.cache = .init(lifetimeMs: 8000, staleMs: 0, failureMs: 50)
                }
            }
            if kind == .live { policy.itemKey = JSONPointer("/k") }
            feeds[kind.rawValue] = .init(group: "simulated", policy: policy)
        }
        if let readers {
            for feed in ModelFeed.allCases {
                feeds[feed.rawValue] = .init(group: "simulated", policy: readers.policy(of: feed))
            }
        }
        if let live {
            feeds[LivePlan.feed] = .init(
                group: "simulated", policy: live.policy(keepsPages: keepsPages))
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

    /// Whether snapshots contain usable keys of the items.
    ///
    /// A daemon whose first snapshot key has changed cannot compare the keys of items in snapshots
    /// from earlier daemons.
    var remembersItems: Bool { limits.snapshotBytesMax > 10_000 && !rotatesKeys }

    /// The time in milliseconds after which a previous token is void, if no message has shown that
    /// the client has the newest one.
    var previousTokenMs: Double {
        max(SimulatedConnection.welcomeLossMs, Double(limits.resumeWindowMs))
    }

    /// A short description of the plan.
    var summary: String {
        "\(clients) clients, \(actions) actions each, \(daemons) daemons of \(hosts) hosts, "
            + "\(ends) ends, troubles \(troubles)%, breaks \(breaks)%, latency \(latency) ms, "
            + "snapshots \(sealsSnapshots), cache \(keepsPages), shared \(shares), "
            + "window \(limits.resumeWindowMs) ms, full \(isFull), \(reloads) reloads, "
            + "key rotation \(rotatesKeys), subjects \(authenticates), "
            + "recorded 1 of \(recordedOneOf)" + (readers.map { ", \($0.summary)" } ?? "")
            + (cluster.map { ", \($0.summary)" } ?? "")
            + (live.map { ", \($0.summary)" } ?? "")
    }
}
