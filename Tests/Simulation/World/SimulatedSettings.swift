import RefreshProtocol
import RefreshServer
import RefreshSession

/// The settings that a reload changes. There are two configurations, and each daemon applies one
/// configuration as a whole.
struct SimulatedSettings {
    /// A feed that only the second configuration has.
    static let further = "further"

    private(set) var limits: Limits
    private(set) var isSecond = false
    private let readers: ReaderPlan?
    private let live: LivePlan?

    init(_ plan: SimulationPlan) {
        limits = plan.limits
        readers = plan.readers
        live = plan.live
    }

    /// Switches to the other configuration.
    mutating func toggle() {
        isSecond.toggle()
        limits.heartbeatMs = isSecond ? 20_000 : 25_000
        limits.queueAgeMs = isSecond ? 20_000 : 30_000
        limits.loadDeadlineMs = isSecond ? 2500 : 3000
    }

    /// Raises the limit of sessions, so that all clients can have a session.
    mutating func open() { limits.sessionsMax = Limits().sessionsMax }

    var feeds: [FeedDescription] {
        var feeds = SimulatedFeed.Kind.allCases.map { SimulatedFeed($0, count: 0).description }
        if isSecond { feeds.append(FeedDescription(name: Self.further)) }
        if let readers { feeds += ModelFeed.allCases.map { $0.description(readers) } }
        if let live { feeds.append(live.description) }
        return feeds
    }

    /// Whether a `welcome` describes one configuration, not parts of two.
    static func isConsistent(_ welcome: JSONValue) -> Bool {
        let signs = [
            welcome["heartbeat"]?.number == 20_000,
            welcome["limits"]?["queueAgeMs"]?.number == 20_000,
            welcome["limits"]?["loadDeadlineMs"]?.number == 2500,
            welcome["feeds"]?.array?.contains(.string(further)) ?? false,
        ]
        return Set(signs).count == 1
    }
}
