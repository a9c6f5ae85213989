import RefreshProtocol
import Testing

@testable import RefreshEngine

/// The resistance beyond the edges. The viewport has 800 points, and each edge has a length of 60
/// points.
@Suite("Pan by a damping curve")
struct PanDampingTests {
    private static func pulling(_ distance: Double, _ pan: PanOptions, length: Double = 60)
        -> Double
    {
        var tester = EngineTester(
            .iq(length: length) {
                $0.pan = pan
                $0.refresh?.isEnabled = false
                $0.loadMore = nil
            })
        tester.pan(.began, 0)
        tester.pan(.dragging, distance)
        tester.skip()
        let shown = -tester.engine.offset
        tester.pan(.cancelled, distance)
        tester.skip()
        tester.comeToRest()
        #expect(tester.engine.offset == 0)
        return shown
    }

    @Test(
        "Each curve shows the same offset as the platform or library from which it is copied",
        arguments: [
            (DampingCurve.none, 60.0, 200.0, 200.0), (.uiscrollview, 60, 100, 51.462),
            (.smartRefreshLayout, 100, 50, 25), (.smartRefreshLayout, 100, 800, 225),
            (.swipeRefreshLayout, 64, 128, 64), (.swipeRefreshLayout, 64, 192, 92),
            (.compose, 80, 160, 80), (.compose, 80, 240, 115), (.compose, 80, 640, 160),
            (.flutter, 40, 100, 30), (.flutter, 40, 200, 60), (.flutter, 40, 900, 60),
        ])
    func curves(curve: DampingCurve, length: Double, distance: Double, shown: Double) {
        var pan = PanOptions()
        pan.damping = curve
        let actual = Self.pulling(distance, pan, length: length)
        #expect(abs(actual - shown) < 0.001, "\(curve): \(actual)")
    }

    @Test("Neither a finger nor a flick exceeds the maximum pull", arguments: DampingCurve.allCases)
    func maximumPull(curve: DampingCurve) throws {
        var pan = PanOptions()
        pan.damping = curve
        pan.maximumPull = 40
        #expect(Self.pulling(100_000, pan) <= 40)
        #expect(Self.pulling(100_000, pan) > 39)
        for velocity in [-8000.0, 8000] {
            var tester = EngineTester(
                .iq {
                    $0.pan = pan
                    $0.loadMore = nil
                }, offset: 600)
            tester.pan(.began, 0)
            tester.pan(.ended, 0, velocity: velocity)
            let flight = try #require(tester.engine.flight)
            tester.skip()
            var farthest = 0.0
            for step in 0..<3000 {
                let place = flight.offset(at: flight.start.advanced(byMilliseconds: Double(step)))
                farthest = max(farthest, max(-place, place - 1200))
            }
            #expect(farthest <= 40 && farthest > 39.9)
            tester.comeToRest()
            #expect(tester.engine.offset == (velocity < 0 ? 0 : 1200))
        }
    }

    @Test("With a maximum pull of 0, a finger and a flick end at the edge")
    func noPull() throws {
        var pan = PanOptions()
        pan.maximumPull = 0
        for curve in DampingCurve.allCases {
            pan.damping = curve
            #expect(Self.pulling(500, pan) == 0)
        }
        var tester = EngineTester(.iq { $0.pan = pan }, offset: 100)
        tester.pan(.began, 0)
        tester.pan(.ended, 0, velocity: -3000)
        tester.expect("offset 0 by flight")
        let flight = try #require(tester.engine.flight)
        for step in 0..<500 {
            #expect(flight.offset(at: flight.start.advanced(byMilliseconds: Double(step))) >= -1e-9)
        }
        tester.comeToRest()
    }

    @Test(
        "At the release the list keeps its own velocity, which is not the finger's")
    func velocityBeyondEdge() throws {
        var tester = EngineTester(.iq { $0.refresh = nil })
        tester.pan(.began, 0)
        tester.pan(.dragging, 199)
        tester.skip()
        let before = tester.engine.offset
        tester.pan(.dragging, 200)
        tester.skip()
        let slope = before - tester.engine.offset
        tester.pan(.ended, 200, velocity: -1000)
        tester.expect("offset 0 by flight")
        let flight = try #require(tester.engine.flight)
        #expect(abs(flight.velocity + 1000 * slope) < 1)
        #expect(flight.velocity > -500)
        tester.passDeadline()
    }

    @Test("An end of the list without an edge uses the length of the edge at the other end")
    func missingEdge() {
        var options = ViewOptions.iq(length: 80)
        #expect(Engine.plain(options).damping(at: .start).length == 80)
        options.refresh = nil
        #expect(Engine.plain(options).damping(at: .start).length == 60)
        options.loadMore?.length = 90
        #expect(Engine.plain(options).damping(at: .start).length == 90)
        options.loadMore = nil
        #expect(Engine.plain(options).damping(at: .end).length == 60)
    }

    @Test("Every profile has UIScrollView's damping and the normal deceleration rate")
    func profiles() {
        for profile in Profile.allCases { #expect(profile.pan == PanOptions()) }
        #expect(ViewOptions.iq().pan.damping == .uiscrollview)
        #expect(ViewOptions.iq().pan.maximumPull == nil && ViewOptions.iq().pan.rate == .normal)
    }
}

extension Engine {
    fileprivate static func plain(_ options: ViewOptions) -> Engine {
        Engine(generation: 1, options: options, geometry: .sizes(), offset: nil)
    }
}
