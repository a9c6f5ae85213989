import RefreshEngine
import RefreshProtocol
import Testing

/// An engine returns a load order (`LoadOrder`, the request to perform a load) for each running
/// load, so that the loads can be started again.
@Suite("Loads in flight")
struct LoadsInFlightTests {
    /// The order of a running load, and whether the values from which it was computed are
    /// unchanged.
    private struct Running {
        var order: LoadOrder
        var isUntouched = true
    }

    @Test(
        "The loads in flight are those that load orders have begun and that have not ended",
        arguments: Profile.allCases)
    func areTheOrders(profile: Profile) throws {
        var (compared, running) = (0, 0)
        for seed in UInt64(1)...12 {
            var events = RandomEvents(seed: seed, profile: profile)
            let session = Session(&events, seed: seed, count: 200)
            var engine = session.start.engine
            var orders: [LoadID: Running] = [:]
            for (index, step) in session.steps.enumerated() {
                var effects: [Effect] = []
                engine.handle(step.event, at: step.at, into: &effects)
                Self.record(step.event, in: &orders)
                for effect in effects {
                    switch effect {
                    case .startLoad(let order) where order.source == .lookUp: break
                    case .startLoad(let order): orders[order.id] = Running(order: order)
                    case .endLoad(let load, _, _): orders[load] = nil
                    default: break
                    }
                }
                let name: Comment = "\(profile), seed \(seed), \(index): \(step.event)"
                let inFlight = engine.loadsInFlight
                try #require(Set(inFlight.map(\.id)) == Set(orders.keys), name)
                for order in inFlight {
                    let known = try #require(orders[order.id])
                    running += 1
                    #expect(order.kind == known.order.kind, name)
                    #expect(order.trigger == known.order.trigger, name)
                    #expect(order.attempt >= 1, name)
                    guard known.isUntouched else { continue }
                    var expected = known.order
                    // A requested refresh may take over a refresh that runs unseen (`changes` is
                    // `silent`). The load then has the cause of the request.
                    expected.cause = expected.kind == .refresh ? order.cause : expected.cause
                    #expect(order == expected, name)
                    compared += 1
                }
            }
        }
        print("in flight: \(running) orders of \(profile), \(compared) of them compared completely")
        #expect(compared > running / 2)
    }

    private static func record(_ event: Event, in orders: inout [LoadID: Running]) {
        switch event {
        // Each order is computed anew, with the current page position and the current deadlines of
        // the edges. After these events it may differ from the order that began the load.
        case .edgesConfigured, .resetRequested, .loadEnded, .queryChanged, .lookUpEnded:
            for load in orders.keys { orders[load]?.isUntouched = false }
        default: break
        }
    }

    @Test("Loads whose deadlines are restarted get their full time and then time out")
    func beginAgain() {
        var engine = Engine(
            generation: 4, options: .uikit(), geometry: .sizes(), offset: nil)
        var effects: [Effect] = []
        engine.handle(
            .refreshRequested(cause: .code, animated: true), at: Instant(milliseconds: 0),
            into: &effects)
        let deadline = engine.options.deadline(of: .refresh)
        // The daemon was down for longer than the load's deadline.
        let back = Instant(milliseconds: 10 * Double(deadline))
        engine.restartLoadDeadlines(at: back)
        effects.removeAll()
        engine.handle(.timePassed, at: back, into: &effects)
        #expect(engine.loadsInFlight.map(\.id) == [LoadID(generation: 4, number: 1)])
        #expect(engine.deadlines.refreshLoad == back.advanced(byMilliseconds: deadline))
        engine.handle(.timePassed, at: engine.deadlines.refreshLoad, into: &effects)
        #expect(engine.loadsInFlight.isEmpty)
        #expect(effects.contains(.endLoad(LoadID(generation: 4, number: 1), .refresh, .timedOut)))
    }

    @Test("Without loads, restarting the deadlines has no effect")
    func none() {
        var engine = Engine(
            generation: 1, options: .uikit(), geometry: .sizes(), offset: nil)
        let before = engine
        engine.restartLoadDeadlines(at: Instant(milliseconds: 5))
        #expect(engine == before)
        #expect(engine.loadsInFlight.isEmpty)
    }
}
