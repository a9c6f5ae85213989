import RefreshProtocol
import Testing

@testable import RefreshBroker

@Suite("Single flight at random")
struct SingleFlightRandomTests {
    /// What was seen over all runs: every kind of end must have been reached.
    private struct Seen {
        var kinds: Set<String> = []
        var late = 0
        var joined = 0
    }

    @Test(
        "10,000 seeded runs: one outcome a waiter, one call a request, nothing left at the end"
    )
    func randomRuns() async {
        var seen = Seen()
        for seed in 0..<10_000 {
            run(seed: UInt64(seed), &seen)
            // Other tests wait for threads meanwhile.
            if seed % 100 == 0 { await Task.yield() }
        }
        #expect(seen.kinds == ["page", "failed", "cancelled", "timedOut"])
        #expect(seen.late > 1000)
        #expect(seen.joined > 1000)
    }

    private func run(seed: UInt64, _ seen: inout Seen) {
        var generator = SeededGenerator(seed: seed)
        var world = FlightWorld(loadsInFlightMax: Int.random(in: 1...4, using: &generator))
        var started: Set<Int> = []
        for waiter in 0..<Int.random(in: 5...25, using: &generator) {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5:
                let wait = Double.random(in: -5...60, using: &generator)
                let deadline = world.now.advanced(byMilliseconds: wait)
                let page = Int.random(in: 1...3, using: &generator)
                started.insert(waiter)
                world.send(.started(.page(page), waiter, deadline: deadline))
            case 5:
                // Somebody who waits, who is gone, or who never was.
                world.send(.left(Int.random(in: 0..<25, using: &generator)))
            case 6, 7:
                answerOne(&world, &generator)
            case 8:
                let step = Double.random(in: 0...30, using: &generator)
                world.advance(to: world.now.advanced(byMilliseconds: step))
                if Bool.random(using: &generator) { world.send(.clockAdvanced) }
            default:
                world.send(
                    .answered(
                        FlightID(.random(in: 1000...1010, using: &generator)), .success(.of(1))))
            }
        }
        if Bool.random(using: &generator) { world.send(.stopped) }
        // Time passes until nobody waits, then the calls that still run return.
        while let deadline = world.machine.nextDeadline {
            world.advance(to: max(world.now, deadline))
            world.send(.clockAdvanced)
        }
        while !world.running.isEmpty { answerOne(&world, &generator) }
        check(world, started, seed, &seen)
    }

    private func answerOne(_ world: inout FlightWorld, _ generator: inout SeededGenerator) {
        let ids = world.running.keys.sorted { $0.number < $1.number }
        guard let id = ids.randomElement(using: &generator) else { return }
        let fails = Int.random(in: 0..<4, using: &generator) == 0
        let page = Page.of(Int.random(in: 0...3, using: &generator))
        world.send(
            .answered(id, fails ? .failure(LoadFailure(.backendFailed, "no")) : .success(page)))
    }

    private func check(
        _ world: FlightWorld, _ started: Set<Int>, _ seed: UInt64, _ seen: inout Seen
    ) {
        let counters = world.machine.counters
        let tally = counters.feeds["list"] ?? FeedTally()
        let isRight =
            Set(world.outcomes.keys) == started && world.waiting.isEmpty
            && world.machine.callsInFlight == 0 && world.machine.nextDeadline == nil
            && tally.ended.values.reduce(0, +) == tally.started
        if !isRight { Issue.record("seed \(seed): \(world.outcomes) of \(started), \(counters)") }
        seen.late += counters.late
        seen.joined += tally.joined
        for outcome in world.outcomes.values {
            switch outcome {
            case .page: seen.kinds.insert("page")
            case .failed: seen.kinds.insert("failed")
            case .cancelled: seen.kinds.insert("cancelled")
            case .timedOut: seen.kinds.insert("timedOut")
            }
        }
    }
}
