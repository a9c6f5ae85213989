import Glibc
import Testing

@testable import RefreshBroker

/// All interleavings of single flight, cancelling and coming back, to a depth. Source:
/// docs/simulation.md.
struct SmallStateSearchTests {
    /// What is searched.
    struct Search: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let views: [Int]
        let starts: Int
        let moves: Int
        let crashes: Int
        var calls = 4
        var lifetimeMs = 0
        let depth: Int
    }

    private static let searches = [
        Search(
            testDescription: "two sessions with a view each", views: [1, 1], starts: 2, moves: 1,
            crashes: 1, depth: 8),
        Search(
            testDescription: "two sessions with two views", views: [2, 2], starts: 1, moves: 1,
            crashes: 1, depth: 6),
        Search(
            testDescription: "one call at a time", views: [2, 2], starts: 1, moves: 0, crashes: 0,
            calls: 1, depth: 7),
        Search(
            testDescription: "answers that are kept", views: [1, 2], starts: 2, moves: 0,
            crashes: 1, lifetimeMs: 50, depth: 7),
    ]

    /// `SIMULATION_DEPTH` adds to the depth of each.
    private static let more: Int = {
        unsafe getenv("SIMULATION_DEPTH").flatMap { unsafe Int(String(cString: $0)) } ?? 0
    }()

    @Test("whoever waits hears one end, and one call serves all", arguments: searches)
    func search(_ search: Search) {
        let start = SmallWorld(
            rules(search), views: search.views, starts: search.starts, moves: search.moves,
            crashes: search.crashes)
        var seen: Set = [start.fingerprint]
        var states = [start]
        var transitions = 0
        let depth = search.depth + Self.more
        for _ in 0..<depth {
            var next: [SmallWorld] = []
            for state in states {
                for step in state.steps {
                    var other = state
                    other.take(step)
                    transitions += 1
                    if let mistake = other.mistake {
                        Issue.record("\(mistake), after \(step) in \(state.seats)")
                        return
                    }
                    if seen.insert(other.fingerprint).inserted { next.append(other) }
                }
            }
            states = next
        }
        print(
            "\(search.testDescription): \(seen.count) states, \(transitions) transitions,",
            "depth \(depth)")
        #expect(transitions > 20_000)
    }

    private func rules(_ search: Search) -> BrokerRules {
        var feed = FeedPolicy()
        if search.lifetimeMs > 0 {
            feed.cache = .init(lifetimeMs: search.lifetimeMs, staleMs: 0, failureMs: 0)
        }
        var backend = BackendPolicy()
        backend.calls = search.calls
        backend.queue = 2
        backend.retry.attempts = 2
        // Only as long as the backend says: a pause of chance would make each state another.
        backend.retry.baseMs = 0
        backend.retry.capMs = 0
        backend.retry.budgetPercent = 100
        var rules = BrokerRules(
            feeds: ["list": .init(group: "list", policy: feed)], backends: ["list": backend])
        rules.loadDeadlineMs = 1000
        return rules
    }
}
