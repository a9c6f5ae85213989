import RefreshEngine
import RefreshProtocol
import Testing

/// The conditions under which a movement is a pull, a pull is far enough, and an edge fires.
@Suite("Thresholds of a pull")
struct ThresholdTests {
    @Test("An armed pull is disarmed only when it goes back farther than the hysteresis")
    func hysteresis() {
        var tester = EngineTester(.iq { $0.refresh?.hysteresis = 8 })
        tester.drag(to: -53)
        tester.expect("top pulling \(53.0 / 60)")
        tester.scroll(.dragging, -60)
        tester.expect("top pulling 1", "top eligible 1", "selection")
        tester.scroll(.dragging, (-52.0).nextDown)
        tester.expectNothing()
        tester.scroll(.dragging, -52)
        tester.expect("selection", "top pulling \(52.0 / 60)")
        tester.scroll(.dragging, -60)
        tester.skip()
        tester.scroll(.ended, -53)
        tester.skip()
        tester.expect(top: .refreshing(LoadID(1)))
        tester.finish(1, .cancelled)
        tester.skip()
    }

    @Test("A pull must go beyond a strict threshold", arguments: [TriggerStyle.release, .reach])
    func strict(trigger: TriggerStyle) {
        var tester = EngineTester(
            .iq { options in
                options.refresh?.isStrict = true
                options.refresh?.trigger = trigger
            })
        tester.drag(to: -60)
        tester.expect("top pulling 1")
        tester.scroll(.dragging, (-60.0).nextDown)
        if trigger == .release {
            tester.expect("top pulling 1", "top eligible 1", "selection")
            tester.scroll(.ended, -61)
        }
        tester.skip()
        tester.expect(top: .refreshing(LoadID(1)))
        tester.finish(1, .cancelled)
        tester.skip()
    }

    @Test("A pull is shown from `start` on, and `room` may differ from `length`")
    func startAndRoom() {
        var tester = EngineTester(
            .iq(length: 110) { options in
                options.refresh?.start = 30
                options.refresh?.room = 80
            })
        tester.drag(to: -30)
        tester.expectNothing()
        tester.scroll(.dragging, -70)
        tester.expect("top pulling 0.5")
        tester.scroll(.dragging, -110)
        tester.expect("top pulling 1", "top eligible 1", "selection")
        tester.scroll(.ended, -110)
        tester.expect(
            "impact", "top refreshing by finger", "inset top 80 in 100",
            "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10")
        tester.scroll(.idle, -80)
        tester.finish(1, .failed)
        tester.expect(
            "inset top 0 in 100", "offset 0 in 100", "top idle after failed",
            "end 1.1 refresh failed")
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.expect(
            "top refreshing by code", "inset top 80", "offset -80",
            "load 1.2 refresh manual by code, page 1 offset 0 size 10 attempt 2")
        tester.finish(2, .cancelled)
        tester.skip()
    }

    @Test("With the trigger `platform`, nothing is sent beyond the threshold")
    func platform() {
        var tester = EngineTester(.iq { $0.refresh?.trigger = .platform })
        tester.drag(to: -30)
        tester.expect("top pulling 0.5")
        tester.scroll(.dragging, -90)
        tester.expectNothing()
        tester.send(.refreshRequested(cause: .finger, animated: true))
        tester.expect(
            "top refreshing by finger",
            "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10")
        tester.scroll(.ended, -90)
        tester.expect("inset top 60 in 100")
        tester.finish(1, .cancelled)
        tester.skip()
    }

    @Test(
        "With seesProgram, a movement by the program is shown as a pull and never fires")
    func seesProgram() {
        var tester = EngineTester(
            .iq { options in
                options.refresh?.seesProgram = true
                options.refresh?.trigger = .reach
            })
        tester.scroll(.decelerating, -30, cause: .code)
        tester.expect("top pulling 0.5")
        tester.scroll(.decelerating, -90, cause: .code)
        tester.expect("top pulling 1")
        tester.scroll(.idle, 0, cause: .code)
        tester.expect("top idle")
    }

    @Test("A request refreshes only if the intents allow its cause", arguments: Cause.requests)
    func intents(cause: Cause) {
        for allowed in Intent.allCases where allowed != .fling {
            var tester = EngineTester(.iq { $0.refresh?.intents = Intents(allowed) })
            tester.send(.refreshRequested(cause: cause, animated: false))
            tester.skip()
            let isServed = cause.intent(isFingerDown: true) == allowed
            #expect((tester.engine.refresh.load != nil) == isServed, "\(allowed)")
            tester.send(.cancelRequested(.refresh))
            tester.skip()
        }
    }

    @Test("If the finger may not refresh, its pull is shown and the release has no effect")
    func noFinger() {
        var tester = EngineTester(.iq { $0.refresh?.intents = [.code, .key] })
        tester.drag(to: -70)
        tester.expect("top pulling 1")
        tester.scroll(.ended, -70)
        tester.scroll(.idle, 0)
        tester.expect("top idle")
    }

    @Test("A fling over the start refreshes only if intents allow it", arguments: [true, false])
    func fling(mayRefresh: Bool) {
        var tester = EngineTester(
            .iq { $0.refresh?.intents = mayRefresh ? .all : .allButInertia })
        tester.scroll(.began, 300)
        tester.scroll(.ended, 200)
        tester.scroll(.decelerating, -70)
        if mayRefresh {
            tester.expect(
                "impact", "top refreshing by finger", "inset top 60 in 100",
                "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10")
            tester.finish(1, .cancelled)
            tester.skip()
        } else {
            tester.expect("top pulling 1")
            tester.scroll(.idle, 0)
            tester.expect("top idle")
        }
    }

    @Test("onCancel decides whether an armed pull that is cancelled fires or is disarmed")
    func onCancel() {
        var tester = EngineTester(.iq { $0.refresh?.onCancel = .release })
        tester.drag(to: -70)
        tester.skip()
        tester.scroll(.cancelled, -70)
        tester.expect(
            "impact", "top refreshing by finger", "inset top 60 in 100",
            "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10")
        tester.finish(1, .cancelled)
        tester.skip()
        var other = EngineTester()
        other.drag(to: -70)
        other.skip()
        other.scroll(.cancelled, -70)
        other.expect("top pulling 1")
        other.scroll(.idle, 0)
        other.expect("top idle")
    }

    @Test("pullsAgain decides whether the same gesture pulls again after a refresh")
    func pullsAgain() {
        var tester = EngineTester(
            .iq { options in
                options.refresh?.pullsAgain = false
                options.refresh?.trigger = .reach
            })
        tester.drag(to: -60)
        tester.skip()
        tester.finish(1, .success, count: 10)
        tester.skip()
        tester.scroll(.dragging, -20)
        tester.scroll(.dragging, -80)
        tester.expectNothing()
        tester.scroll(.ended, -80)
        tester.scroll(.decelerating, -10)
        tester.expectNothing()
        tester.scroll(.began, -10)
        tester.expect("top pulling \(10.0 / 60)")
        tester.scroll(.idle, 0)
        tester.expect("top idle")
    }

    @Test("During the cool-down the user cannot refresh, but the program can")
    func coolDown() {
        var tester = EngineTester(.iq { $0.refresh?.coolDown = 1000 })
        tester.loadFirstPage()
        tester.send(.refreshRequested(cause: .key, animated: false))
        tester.expectNothing()
        tester.drag(to: -70)
        tester.expect("top pulling 1")
        tester.scroll(.ended, -70)
        tester.scroll(.idle, 0)
        tester.expect("top idle")
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.finish(2, .failed)
        tester.skip()
        tester.send(.retryRequested(.refresh))
        tester.skip()
        tester.finish(3, .success)
        tester.skip()
        tester.send(.refreshRequested(cause: .key, animated: false), after: 999)
        tester.expectNothing()
        tester.send(.refreshRequested(cause: .key, animated: false), after: 1)
        tester.skip()
        tester.expect(top: .refreshing(LoadID(4)), bottom: .noMore)
        tester.finish(4, .success)
        tester.skip()
    }

    @Test("A view that appears refreshes only stale content")
    func stale() {
        var tester = EngineTester(.iq { $0.refresh?.staleAfter = 5000 })
        tester.send(.appeared)
        tester.expect(
            "top refreshing by stale", "inset top 60 in 100", "offset -60 in 100",
            "load 1.1 refresh manual by stale, page 1 offset 0 size 10")
        tester.send(.appeared)
        tester.finish(1, .success, count: 10)
        tester.skip()
        tester.send(.appeared, after: 4999)
        tester.expectNothing()
        tester.send(.appeared, after: 1)
        tester.skip()
        tester.expect(top: .refreshing(LoadID(2)))
        tester.finish(2, .failed)
        tester.skip()
        tester.send(.appeared)
        tester.skip()
        tester.expect(top: .refreshing(LoadID(3)))
        tester.finish(3, .success, count: 10)
        tester.skip()
        var off = EngineTester()
        off.send(.appeared)
        off.expectNothing()
    }
}

extension Cause {
    /// The causes that a client may send, and `retry`.
    static let requests: [Cause] = [.finger, .wheel, .key, .accessibility, .code, .retry]
}
