import RefreshBroker
import RefreshProtocol
import RefreshSession

/// The live list of a world, which its backend and its clients edit. Source: docs/simulation.md,
/// "Live lists".
struct LivePlan {
    /// The name of the feed.
    static let feed = "board"
    static let size = 6
    static let itemKey = JSONPointer("/id")

    let style: PagingStyle
    /// Whether the backend reads the items of a page when it answers, and not when it is asked.
    let readsLate: Bool
    /// Whether the backend keeps the items of edits as they are. If not, it returns them.
    let returnsItems: Bool
    /// The number of items in the beginning.
    let count: Int
    /// How many times the backend changes the list before the quiet phase.
    let changes: Int
    /// Whether all changes are reported to one daemon, so that no two reports overtake each other.
    let hasOneReporter: Bool
    /// The rule that the daemons break on purpose.
    var defect: LiveDefect?

    init(_ generator: inout SeededGenerator) {
        style = generator.pick([.page, .offset, .cursor])
        readsLate = generator.chance(50)
        returnsItems = generator.chance(40)
        count = generator.pick([0, 4, 20, 40])
        changes = generator.below(40)
        hasOneReporter = generator.chance(40)
    }

    /// A page that is read late can have a later `move` than the reports before it.
    var kinds: [ItemOperation.Kind] {
        readsLate ? [.insert, .insert, .update, .remove] : [.insert, .update, .remove, .move]
    }

    var description: FeedDescription {
        FeedDescription(
            name: Self.feed, style: style, first: style == .page ? 1 : style == .offset ? 0 : nil,
            size: Self.size, itemKey: Self.itemKey, edits: Set(ItemOperation.Kind.allCases))
    }

    func policy(keepsPages: Bool) -> FeedPolicy {
        var policy = FeedPolicy()
        policy.isShared = true
        policy.itemKey = Self.itemKey
        policy.edits = Set(ItemOperation.Kind.allCases)
        policy.numbering = .init(style: style, first: style == .page ? 1 : 0)
        if keepsPages { policy.cache = .init(lifetimeMs: 8000, staleMs: 0, failureMs: 50) }
        return policy
    }

    var summary: String {
        "live: \(style), \(count) items, \(changes) changes "
            + (hasOneReporter ? "at one daemon" : "at all daemons")
            + ", pages read \(readsLate ? "late" : "early"), items returned \(returnsItems)"
    }
}

extension SimulationPlan {
    /// The plan of a world whose clients edit a live list at the daemons of a cluster.
    static func live(_ seed: UInt64) -> SimulationPlan {
        var plan = SimulationPlan.cluster(seed)
        var generator = SeededGenerator(seed: seed, 7)
        plan.live = LivePlan(&generator)
        plan.daemons = 2
        plan.clients = 2 + generator.below(3)
        plan.actions = 10 + generator.below(30)
        plan.ends = generator.chance(40) ? 1 + generator.below(3) : 0
        plan.authenticates = false
        plan.reloads = 0
        plan.rotatesKeys = false
        plan.cluster?.isUpgraded = false
        plan.cluster?.changes = 0
        plan.limits.gestureSilenceMs = 6000
        return plan
    }
}

/// The rules of a live list. The text of a failure begins with the rule in brackets.
package enum LiveRule: String, CaseIterable, Sendable {
    /// At rest, the client shows the list of the feed, each item once.
    case list
    /// Each edit is answered once, and was performed if the answer says so, and at most once.
    case edits
    /// No live item is shown while a finger is down.
    case finger
    /// What is seen stays where it is.
    case place
}

/// A daemon or a backend that breaks a rule on purpose, so that the tests show that each rule can
/// fail.
package enum LiveDefect: String, CaseIterable, Sendable {
    /// If another node reports a change with operations, the daemon does not notify its sessions.
    case losesOperations
    /// A view whose operations may have overtaken each other is not verified.
    case skipsVerification
    /// The daemon sends the answer to an edit under another name.
    case losesAnswers
    /// The edits have another idempotency key at each node.
    case changesKeys
    /// The daemon does not notice that a finger is down.
    case ignoresFingers
    /// The daemon does not notice where the item is that the user sees.
    case ignoresAnchors

    /// The rule that is broken.
    package var brokenRule: LiveRule {
        switch self {
        case .losesOperations, .skipsVerification: .list
        case .losesAnswers, .changesKeys: .edits
        case .ignoresFingers: .finger
        case .ignoresAnchors: .place
        }
    }

    /// The frame that the daemon receives in place of the client's frame.
    func received(_ frame: [UInt8]) -> [UInt8] {
        switch self {
        case .ignoresFingers:
            frame.replacing(Array(#""phase":"began""#.utf8), with: Array(#""phase":"idle""#.utf8))
                .replacing(Array(#""phase":"dragging""#.utf8), with: Array(#""phase":"idle""#.utf8))
        case .ignoresAnchors:
            frame.replacing(Array(#""anchor":"#.utf8), with: Array(#""later":"#.utf8))
        default: frame
        }
    }

    /// The frame that the daemon sends in place of `frame`.
    func sent(_ frame: [UInt8]) -> [UInt8] {
        guard self == .losesAnswers else { return frame }
        return frame.replacing(
            Array(#""type":"edited""#.utf8), with: Array(#""type":"unused""#.utf8))
    }

    /// The change of which the sessions are notified in place of `change`.
    func notified(_ change: FeedChange, isOfOtherNode: Bool) -> FeedChange? {
        var change = change
        switch self {
        case .losesOperations where isOfOtherNode && change.items != nil: return nil
        case .skipsVerification:
            change.reporter = ""
            change.isRepeated = false
        default: break
        }
        return change
    }

    /// The edit that a node performs in place of `request`.
    func performed(_ request: EditRequest, byNode node: Int) -> EditRequest {
        guard self == .changesKeys else { return request }
        var request = request
        request.idempotencyKey += "-\(node)"
        return request
    }
}
