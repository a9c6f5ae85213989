import RefreshEngine
import RefreshProtocol
import Testing

/// The progress of a pull beyond the threshold. Source: docs/protocol.md, "Over-pull".
@Suite("An over-pull")
struct OverPullTests {
    /// A view whose pull begins at 0 and reaches the threshold at 60 points.
    private static func tester(
        _ maximum: Double, _ change: (inout ViewOptions) -> Void = { _ in }
    ) -> EngineTester {
        EngineTester(
            .iq {
                $0.refresh?.progressMax = maximum
                change(&$0)
            })
    }

    @Test("By default the progress stays at 1 beyond the threshold")
    func usual() {
        var tester = Self.tester(1)
        tester.drag(to: -60)
        tester.expect("top pulling 1", "top eligible 1", "selection")
        tester.scroll(.dragging, -90)
        tester.scroll(.dragging, -600)
        tester.scroll(.dragging, -30)
        tester.expect("selection", "top pulling 0.5")
    }

    @Test("The progress grows evenly beyond the threshold, up to the maximum")
    func grows() {
        var tester = Self.tester(2.5)
        tester.drag(to: -54)
        tester.expect("top pulling 0.9")
        tester.scroll(.dragging, -60)
        tester.expect("top pulling 1", "top eligible 1", "selection")
        tester.scroll(.dragging, -90)
        tester.expect("top eligible 1.5")
        tester.scroll(.dragging, -100)
        tester.expect("top eligible 1.667")
        tester.scroll(.dragging, -150)
        tester.expect("top eligible 2.5")
        tester.scroll(.dragging, -400)
        tester.expect(top: .eligible)
        tester.scroll(.dragging, -66)
        tester.expect("top eligible 1.1")
        tester.scroll(.dragging, -60)
        tester.expect("top eligible 1")
        tester.scroll(.dragging, -54)
        tester.expect("selection", "top pulling 0.9")
    }

    @Test("If a pull arms the edge beyond the threshold, the over-pull is reported at once")
    func armsBeyond() {
        var tester = Self.tester(2)
        tester.drag(to: -75)
        tester.expect("top pulling 1.25", "top eligible 1.25", "selection")
    }

    @Test("A finger that moves the progress by less than 0.001, or not at all, changes nothing")
    func repeated() {
        var tester = Self.tester(2)
        tester.drag(to: -75)
        tester.skip()
        tester.scroll(.dragging, -75)
        tester.scroll(.dragging, -75.01)
        tester.scroll(.dragging, -600)
        tester.expect("top eligible 2")
        tester.scroll(.dragging, -1e9)
        tester.scroll(.dragging, -600)
    }

    @Test("The option `progressMax` does not change when and how the edge fires")
    func fires() {
        for maximum in [1.0, 10] {
            var tester = Self.tester(maximum)
            tester.drag(to: -90)
            tester.skip()
            tester.scroll(.ended, -90)
            tester.expect(
                "impact", "top refreshing by finger", "inset top 60 in 100",
                "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10")
            tester.scroll(.decelerating, -75)
            tester.finish(1, .success, count: 10)
            tester.skip()
        }
    }

    @Test("A pull that cannot fire reports the over-pull too, also in its spring-back")
    func showing() {
        var tester = Self.tester(3) { $0.refresh?.intents = [.code] }
        tester.drag(to: -120)
        tester.expect("top pulling 2")
        tester.scroll(.ended, -120)
        tester.scroll(.decelerating, -90)
        tester.expect("top pulling 1.5")
        tester.scroll(.decelerating, -30)
        tester.expect("top pulling 0.5")
        tester.scroll(.idle, 0)
        tester.expect("top idle")
    }

    @Test("After a gesture is cancelled, the progress still shows how far the list is pulled")
    func cancelled() {
        var tester = Self.tester(3)
        tester.drag(to: -90)
        tester.skip()
        tester.scroll(.cancelled, -90)
        tester.expect("top pulling 1.5")
        tester.scroll(.idle, 0)
        tester.expect("top idle")
    }

    @Test("While `hysteresis` keeps the edge armed before its threshold, the progress is 1")
    func hysteresis() {
        var tester = Self.tester(3) { $0.refresh?.hysteresis = 12 }
        tester.drag(to: -66)
        tester.expect("top pulling 1.1", "top eligible 1.1", "selection")
        tester.scroll(.dragging, -54)
        tester.expect("top eligible 1")
        tester.scroll(.dragging, -50)
        tester.expect(top: .eligible)
        tester.scroll(.dragging, -48)
        tester.expect("selection", "top pulling 0.8")
    }

    @Test("`start` and `preload` shift the over-pull as they shift the progress below 1")
    func startAndPreload() {
        var tester = Self.tester(3) {
            $0.refresh?.start = 20
            $0.refresh?.preload = 10
        }
        tester.drag(to: -50)
        tester.expect("top pulling 1", "top eligible 1", "selection")
        tester.scroll(.dragging, -70)
        tester.expect("top eligible 1.5")
    }

    @Test("With the trigger `platform`, no over-pull is sent: the platform's control shows it")
    func platform() {
        var tester = Self.tester(3) { $0.refresh?.trigger = .platform }
        tester.drag(to: -54)
        tester.expect("top pulling 0.9")
        tester.scroll(.dragging, -90)
        tester.expect(top: .pulling(progress: 0.9))
    }

    @Test("A lower maximum applies at once, even if the edges are evaluated only at movements")
    func lowered() {
        for attention in [EvaluationTrigger.everything, .movement] {
            var tester = Self.tester(3) { $0.attention = attention }
            tester.drag(to: -120)
            tester.expect("top pulling 2", "top eligible 2", "selection")
            for (maximum, shown) in [(1.5, "1.5"), (1, "1")] {
                var options = tester.engine.options.refresh
                options?.progressMax = maximum
                tester.send(
                    .edgesConfigured(refresh: options, loadMore: tester.engine.options.loadMore))
                tester.expect("top eligible \(shown)")
            }
            tester.scroll(.dragging, -150)
        }
    }

    @Test("The complete state of the edge, for example after a resumption, contains the over-pull")
    func current() {
        var tester = Self.tester(3)
        tester.drag(to: -90)
        tester.skip()
        #expect(tester.engine.edge(.refresh)?.progress == 1.5)
        tester.scroll(.dragging, -30)
        tester.skip()
        #expect(tester.engine.edge(.refresh)?.progress == 0.5)
    }

    @Test("The maximum is rounded to a thousandth and is between 1 and 10")
    func bounds() {
        var options = ViewOptions.iq().refresh
        for (value, expected) in [
            (1.5, 1.5), (1.23456, 1.235), (10, 10), (1, 1), (11, 10), (-3, 1), (.infinity, 10),
        ] {
            options?.progressMax = value
            #expect(options?.progressMax == expected)
        }
        #expect(ViewOptions.iq().refresh?.progressMax == 1)
        #expect(options?.adapted(to: nil).progressMax == 1)
    }
}
