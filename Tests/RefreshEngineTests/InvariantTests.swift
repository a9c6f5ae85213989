import RefreshEngine
import RefreshProtocol
import Testing

@Suite("Whatever happens")
struct InvariantTests {
    private static let firstSeed: UInt64 = 20_261_121
    private static let eventsPerRun = 80

    @Test(
        "Every invariant holds through random events, and the same events give the same effects",
        arguments: [false, true])
    func invariants(isExtreme: Bool) {
        print("invariants: seeds from \(Self.firstSeed), extreme geometry: \(isExtreme)")
        var states: Set<String> = []
        for seed in Self.firstSeed..<(Self.firstSeed + 300) {
            let first = run(seed: seed, isExtreme: isExtreme)
            let second = run(seed: seed, isExtreme: isExtreme)
            #expect(first.breach == nil, "seed \(seed)")
            #expect(first.effects == second.effects, "seed \(seed)")
            #expect(first.engine == second.engine, "seed \(seed)")
            states.formUnion(first.states)
            if first.breach != nil { break }
        }
        #expect(states.count == 6 + 7, "every state is reached: \(states.sorted())")
    }

    private struct Run {
        var engine: Engine
        var effects: [Effect] = []
        var states: Set<String> = []
        var breach: String?
    }

    private func run(seed: UInt64, isExtreme: Bool) -> Run {
        var events = RandomEvents(seed: seed, isExtreme: isExtreme)
        let options = events.options()
        var run = Run(
            engine: Engine(
                generation: 1, options: options, geometry: events.geometry(), offset: nil))
        var watch = InvariantWatch(run.engine)
        var now = Instant(milliseconds: 1000)
        var effects: [Effect] = []
        for step in 0..<Self.eventsPerRun {
            now = now.advanced(byMilliseconds: events.pause())
            let event =
                run.engine.nextDeadline.map { $0 <= now } ?? false
                ? .timePassed : events.event(for: run.engine)
            let before = run.engine
            effects.removeAll(keepingCapacity: true)
            run.engine.handle(event, at: now, into: &effects)
            watch.note(event, before: before, after: run.engine, effects: effects, at: now)
            run.effects += effects
            run.states.insert("top \(run.engine.refresh.state)")
            run.states.insert("bottom \(run.engine.loadMore.state)")
            if let breach = watch.breach {
                run.breach = """
                    step \(step): \(breach)
                      event \(event)
                      effects \(effects.map { $0.text(at: now) })
                      before \(before)
                    """
                break
            }
        }
        return run
    }
}
