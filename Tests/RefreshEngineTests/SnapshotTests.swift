import Foundation
import RefreshEngine
import RefreshProtocol
import Testing

/// Tests that an engine can be encoded and decoded at any moment without an effect on its
/// behaviour.
@Suite("Encoding and decoding")
struct SnapshotTests {
    private static let sessions: [(name: String, session: Session)] =
        Profile.allCases.flatMap { profile in
            (UInt64(1)...6).map { seed in
                var events = RandomEvents(seed: seed, profile: profile)
                return ("\(profile), seed \(seed)", Session(&events, seed: seed, count: 120))
            }
        }

    @Test("A decoded engine equals the original at every event and has the same effects")
    func everywhere() throws {
        var count = 0
        for (name, session) in Self.sessions {
            var random = SeededGenerator(seed: UInt64(session.steps.count))
            var engine = session.start.engine
            var copy = try Self.readBack(engine)
            var (effects, others): ([Effect], [Effect]) = ([], [])
            for (index, step) in session.steps.enumerated() {
                effects.removeAll(keepingCapacity: true)
                others.removeAll(keepingCapacity: true)
                engine.handle(step.event, at: step.at, into: &effects)
                copy.handle(step.event, at: step.at, into: &others)
                try #require(effects == others, "\(name), \(index): \(step.event)")
                let now = try Self.readBack(engine)
                try #require(now == engine, "\(name), after \(index): \(step.event)")
                // The decoded copy is kept for several events, so that a further encoding cannot
                // hide an error.
                if random.chance(20) { copy = now }
                count += 1
            }
        }
        print("snapshots: \(count) facts of \(Self.sessions.count) sessions")
    }

    @Test("A decoded engine equals the original at every record of every recorded trace")
    func traces() throws {
        var count = 0
        for run in try OracleRun.all() {
            var adapter = EngineAdapter(run.trace, try Self.setup(of: run))
            for record in run.records {
                guard let event = record.event else { continue }
                let step = try OracleStep(
                    event, of: record, isHorizontal: run.trace.isHorizontal,
                    load: adapter.loads.indices.last)
                _ = adapter.handle(step, at: event.t)
                let copy = try Self.readBack(adapter.engine)
                try #require(copy == adapter.engine, "\(run.name), \(event.type) at \(event.t)")
                count += 1
            }
        }
        print("snapshots: \(count) records of recorded traces")
        #expect(count > 1000)
    }

    private static func setup(of run: OracleRun) throws -> EngineAdapter.Setup {
        let axis: Axis = run.trace.isHorizontal ? .horizontal : .vertical
        if let config = run.trace.config.iqpulltorefresh, run.peer == .iqpulltorefresh {
            return .init(config, axis: axis)
        }
        return .init(
            try #require(run.trace.config.mrefresh), version: run.version, axis: axis)
    }

    @Test("An engine with all operations in progress is decoded completely")
    func whole() throws {
        var options = ViewOptions.uikit()
        options.refresh?.floor = FloorOptions(length: 200)
        options.loadMore?.whileRefreshing = .concurrent
        options.loadMore?.leadTime = 100
        options.paging.style = .cursor
        var engine = Engine(generation: 7, options: options, geometry: .sizes(), offset: 3.3)
        var effects: [Effect] = []
        let facts: [Event] = [
            .refreshRequested(cause: .code, animated: true),
            .loadEnded(
                LoadID(generation: 7, number: 1),
                LoadEnding(.success, count: 50, more: true, cursor: "\"\u{1F600}\n")),
            .loadMoreRequested(cause: .key),
            .panned(PanSample(translation: 0, phase: .began)),
            .panned(PanSample(translation: 1.0 / 3, phase: .dragging)),
        ]
        for (index, fact) in facts.enumerated() {
            engine.handle(fact, at: Instant(milliseconds: Double(index)), into: &effects)
            let copy = try Self.readBack(engine)
            #expect(copy == engine)
            #expect(copy.hashValue == engine.hashValue)
        }
    }

    /// The members of an engine in snapshots, journals and checkpoints.
    private static let names: Set = [
        "anchor", "awaited", "backOffEnd", "background", "changes", "deadlines", "filledPages",
        "floor",
        "generation", "geometry", "gesture", "hasAskedForMore", "hasRefreshFailed", "insets",
        "isLaidOutEarly", "isMoreQueuedByGesture", "isMoreRenewed", "isMoreSuperseded",
        "isOffsetKnown", "isPageLanding", "isPullSpent", "isQueuedByGesture", "isRefreshRenewed",
        "isRoomLanding", "keepsPlace", "lastLoadNumber", "layoutEnd", "loadMore", "looksUp",
        "mayFill", "moreAttempt", "moreCause",
        "moreStartedAt", "moreTrigger", "motion", "offset", "options", "overPull", "ownsPhysics",
        "pace",
        "paging", "pollSeed", "refresh", "refreshAnimates", "refreshAttempt", "refreshCause",
        "refreshPages", "refreshSize", "refreshTrigger", "revealedLength", "shownAt",
        "unread", "updatedAt",
    ]

    @Test("The encoded form is flat and has the names of the file formats")
    func names() throws {
        let options = ViewOptions.iq {
            $0.isClientBacked = true
            $0.refresh?.depth = .keep
            $0.refresh?.progressMax = 2
        }
        var engine = Engine(generation: 1, options: options, geometry: .sizes(), offset: nil)
        var effects: [Effect] = []
        let optional: Set = [
            "awaited", "background", "isLaidOutEarly", "keepsPlace", "layoutEnd", "looksUp",
            "motion", "overPull", "pollSeed", "refreshPages", "unread",
        ]
        #expect(try Self.names(of: engine) == Self.names.subtracting(optional))
        engine.setPollSeed(3)
        engine.keepsPlace = true
        engine.setUnread(true)
        let facts: [Event] = [
            .scrolled(ScrollSample(offset: -90, phase: .began)),
            .scrolled(ScrollSample(offset: 0, phase: .cancelled)),
            .disappeared,
            .loadMoreRequested(cause: .code),
            .geometryChanged(.sizes(content: 3000)),
            .loadEnded(LoadID(1), LoadEnding(.success, count: 10)),
            .loadMoreRequested(cause: .code),
            .loadEnded(LoadID(2), LoadEnding(.success, count: 10)),
            .panned(PanSample(translation: 0, phase: .began)),
            .refreshRequested(cause: .code, animated: false),
            .queryChanged(debounceMs: 100, clears: true, looksUp: true),
        ]
        var found: Set<String> = []
        for fact in facts {
            engine.handle(fact, at: Instant(milliseconds: 5), into: &effects)
            let names = try Self.names(of: engine)
            #expect(names.isSubset(of: Self.names), "\(fact)")
            #expect(try Self.readBack(engine) == engine, "\(fact)")
            found.formUnion(names)
        }
        #expect(found == Self.names)
    }

    private static func names(of engine: Engine) throws -> Set<String> {
        let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(engine))
        return Set((json as? [String: Any] ?? [:]).keys)
    }

    private static func readBack(_ engine: Engine) throws -> Engine {
        try JSONDecoder().decode(Engine.self, from: JSONEncoder().encode(engine))
    }
}
