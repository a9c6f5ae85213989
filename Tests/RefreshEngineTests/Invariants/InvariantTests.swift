import Foundation
import RefreshEngine
import RefreshProtocol
import Testing
import Workbench

/// The seeded simulation: random clients of every profile. After each event the invariants that
/// docs/engine.md lists are checked. The environment variables `SIMULATION_SEED` and
/// `SIMULATION_SESSIONS` (for each profile) select another seed and another number of sessions.
@Suite("Invariants under random events", .ownThread)
struct InvariantTests {
    private static let firstSeed = environment("SIMULATION_SEED") ?? 20_261_121
    private static let sessionsPerProfile = environment("SIMULATION_SESSIONS") ?? 400
    private static let eventsPerSession = 500

    @Test("Every invariant holds through random events", arguments: Profile.allCases)
    func invariants(profile: Profile) {
        let number = UInt64(Profile.allCases.firstIndex(of: profile) ?? 0)
        let firstSeed = Self.firstSeed + number * 1_000_000
        var (count, states, moreStates, floorStates) = (0, UInt32(0), UInt32(0), UInt32(0))
        for seed in firstSeed..<(firstSeed + Self.sessionsPerProfile) {
            var events = Self.events(seed, profile)
            let start = events.start().engine
            var watch = InvariantWatch(start)
            count += Session.run(start, &events, seed: seed, count: Self.eventsPerSession) {
                watch.record($1.event, after: $0, effects: $2, at: $1.at)
                return watch.breach == nil
            }
            states |= watch.refresh.states
            moreStates |= watch.loadMore.states
            floorStates |= watch.sentFloorStates
            if watch.breach != nil { return Self.report(seed, profile) }
        }
        print("simulation: \(count) events, seed \(firstSeed), profile \(profile)")
        let known = MachineDiagram.refresh.states.reduce(0) { $0 | $1.bit }
        #expect(states == known, "every state of the refresh edge is reached")
        let knownMore = MachineDiagram.loadMore.states.reduce(0) { $0 | $1.bit }
        #expect(moreStates == knownMore, "every state of the load-more edge is reached")
        #expect(floorStates == (1 << UInt32(FloorState.allCases.count)) - 1)
    }

    @Test("The same events give the same effects and the same engine", arguments: Profile.allCases)
    func sameEventsSameEffects(profile: Profile) {
        for seed in Self.firstSeed..<(Self.firstSeed + 20) {
            var events = Self.events(seed, profile)
            let session = Session(&events, seed: seed, count: 200)
            var (first, second) = (session.start.engine, session.start.engine)
            var (effects, others): ([Effect], [Effect]) = ([], [])
            for step in session.steps {
                first.handle(step.event, at: step.at, into: &effects)
                second.handle(step.event, at: step.at, into: &others)
            }
            #expect(effects == others, "seed \(seed)")
            #expect(first == second, "seed \(seed)")
        }
    }

    private static func environment(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
    }

    private static func events(_ seed: UInt64, _ profile: Profile) -> RandomEvents {
        RandomEvents(seed: seed, profile: profile, isExtreme: seed % 8 == 0)
    }

    private static func report(_ seed: UInt64, _ profile: Profile) {
        var events = events(seed, profile)
        let session = Session(&events, seed: seed, count: eventsPerSession)
        guard let breach = session.breach() else {
            Issue.record("seed \(seed): the violated invariant holds when the run is repeated")
            return
        }
        let step = session.steps[breach.step]
        Issue.record(
            """
            \(breach.text)
            seed \(seed), profile \(profile), step \(breach.step), event \(step.event)
            effects \(breach.effects.map { $0.text(at: step.at) })
            least replay:
            \(session.reduced().transcript)
            """)
    }
}
