import Glibc
import Testing

@testable import RefreshBroker

/// Searches all interleavings of shared calls, cancellations and resumes, until no new state
/// appears. Source: docs/simulation.md.
struct SmallStateSearchTests {
    /// The rules of one search.
    struct Search: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let views: [Int]
        var starts = 1
        var moves = 0
        var crashes = 0
        var changes = 0
        var retries = 0
        var calls = 4
        var lifetimeMs = 0
        /// The depth of the search. If it is nil, the search continues until no new state appears.
        var depth: Int?
    }

    private static let searches = [
        Search(
            testDescription: "a shared call that fails, and a change of its feed during the call",
            views: [1, 1],
            changes: 1, retries: 1),
        Search(testDescription: "sessions that move to another loop", views: [1, 1], moves: 1),
        Search(testDescription: "a crash", views: [1, 1], crashes: 1),
        Search(testDescription: "one call at a time", views: [1, 1], retries: 1, calls: 1),
        Search(
            testDescription: "cached answers", views: [1, 1], changes: 1, lifetimeMs: 50),
        Search(
            testDescription: "cached answers, and a crash", views: [1], starts: 2,
            crashes: 1, changes: 1, lifetimeMs: 50),
        Search(
            testDescription: "two sessions with two views, and all kinds of events", views: [2, 2],
            moves: 1,
            crashes: 1, changes: 1, retries: 2, depth: 6),
    ]

    /// `SIMULATION_DEPTH` is added to the depth of each search whose depth is limited.
    private static let more: Int = {
        unsafe getenv("SIMULATION_DEPTH").flatMap { unsafe Int(String(cString: $0)) } ?? 0
    }()

    @Test("Every load ends exactly once, and equal loads share one call", arguments: searches)
    func search(_ search: Search) {
        let start = SmallWorld(
            rules(search), views: search.views, starts: search.starts, moves: search.moves,
            crashes: search.crashes, changes: search.changes, retries: search.retries)
        var seen: Set = [start.fingerprint]
        var states = [start]
        var transitions = 0
        var depth = 0
        while !states.isEmpty, search.depth.map({ depth < $0 + Self.more }) ?? true {
            var next: [SmallWorld] = []
            for state in states {
                for step in state.steps {
                    var other = state
                    other.perform(step)
                    transitions += 1
                    if let mistake = other.mistake {
                        Issue.record("\(mistake), after \(step) in \(state.sessions)")
                        return
                    }
                    if seen.insert(other.fingerprint).inserted { next.append(other) }
                }
            }
            states = next
            depth += 1
        }
        print(
            "\(search.testDescription): \(seen.count) states, \(transitions) transitions,",
            states.isEmpty ? "all by depth \(depth)" : "cut at depth \(depth)")
        #expect(states.isEmpty == (search.depth == nil))
        #expect(transitions > 1000)
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
        // The only delay of a retry is the one that the backend specifies. A random delay would
        // make every state unique.
        backend.retry.baseMs = 0
        backend.retry.capMs = 0
        backend.retry.budgetPercent = 100
        var rules = BrokerRules(
            feeds: ["list": .init(group: "list", policy: feed)], backends: ["list": backend])
        rules.loadDeadlineMs = 1000
        return rules
    }
}
