import RefreshBroker
import RefreshProtocol

/// The model lists of a world whose clients use features and read these lists, and the edits of the
/// lists.
struct ReaderPlan {
    /// Whether the items of the feeds have keys.
    var hasItemKeys: Bool
    /// Whether answers state whether more items follow.
    var statesMore: Bool
    var keepsPages: Bool
    /// The default `debounceMs` of the feeds.
    var debounceMs: Int
    /// The time over which the refreshes for a change are spread.
    var spreadMs: Int
    /// How many times a list is edited before the quiet phase.
    var edits: Int

    init(_ generator: inout SeededGenerator) {
        hasItemKeys = generator.chance(50)
        statesMore = generator.chance(70)
        keepsPages = generator.chance(50)
        debounceMs = generator.pick([0, 0, 150])
        spreadMs = generator.pick([0, 0, 700])
        edits = generator.below(25)
    }

    var itemKey: JSONPointer? { hasItemKeys ? JSONPointer("/k") : nil }

    var policy: FeedPolicy {
        var policy = FeedPolicy()
        policy.itemKey = itemKey
        if keepsPages { policy.cache = .init(lifetimeMs: 1500, staleMs: 2500, failureMs: 50) }
        policy.changes.spreadMs = spreadMs
        return policy
    }

    /// When the sessions begin their refreshes after a change, by the name of the feed.
    var changePolicies: [String: FeedPolicy.Changes] {
        Dictionary(uniqueKeysWithValues: ModelFeed.allCases.map { ($0.rawValue, policy.changes) })
    }

    /// The policy of the feed, with the numbering of its pages.
    func policy(of feed: ModelFeed) -> FeedPolicy {
        var policy = policy
        policy.numbering = .init(
            style: feed.style, first: feed.style == .offset ? feed.firstOffset : feed.firstPage)
        return policy
    }

    var summary: String {
        "readers: item keys \(hasItemKeys), more \(statesMore), cache \(keepsPages), "
            + "debounce \(debounceMs) ms, spread \(spreadMs) ms, \(edits) edits"
    }
}

extension SimulationPlan {
    /// The plan of a world whose clients use features and read model lists.
    static func readers(_ seed: UInt64) -> SimulationPlan {
        var plan = SimulationPlan(seed: seed)
        var generator = SeededGenerator(seed: seed, 4)
        plan.readers = ReaderPlan(&generator)
        plan.actions += 10
        plan.keepsPages = false
        plan.limits.pagesKeptMax = generator.pick([2, 4, 20])
        return plan
    }
}
