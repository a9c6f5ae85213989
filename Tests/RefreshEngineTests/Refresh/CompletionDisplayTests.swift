import RefreshEngine
import RefreshProtocol
import Testing

/// The display of a refresh whose load has ended. A touch, a pull or a request does not wait for
/// the end of the display.
@Suite("Completion display")
struct CompletionDisplayTests {
    private static func shown(
        _ change: (inout RefreshOptions) -> Void = { _ in }
    ) -> EngineTester {
        var tester = EngineTester(
            .iq { options in
                options.refresh?.closing = .animated
                options.refresh?.minVisible = 300
                options.refresh?.successHold = 400
                options.refresh?.failureHold = 1500
                if var refresh = options.refresh {
                    change(&refresh)
                    options.refresh = refresh
                }
            })
        tester.send(.refreshRequested(cause: .code, animated: true))
        tester.expect(
            "top refreshing by code", "inset top 60 in 100", "offset -60 in 100",
            "load 1.1 refresh manual by code, page 1 offset 0 size 10")
        return tester
    }

    @Test("After its load, a refresh lingers, shows its result and closes, each for its own time")
    func success() {
        var tester = Self.shown()
        let start = tester.now
        tester.finish(1, .success, count: 10)
        tester.expect("top refreshing after success", "end 1.1 refresh success", "list 10 and more")
        tester.expect(top: .lingering(.success))
        tester.passDeadline()
        tester.expect("top succeeded")
        #expect(tester.now == start.advanced(byMilliseconds: 300.0))
        tester.passDeadline()
        tester.expect("inset top 0 in 100", "offset 0 in 100", "top finishing")
        #expect(tester.now == start.advanced(byMilliseconds: 700.0))
        tester.passDeadline()
        tester.expect("top idle")
        #expect(tester.now == start.advanced(byMilliseconds: 800.0))
        #expect(tester.engine.nextDeadline == nil)
    }

    @Test("A failure is shown for failureHold, and can be retried during that time")
    func failure() {
        var tester = Self.shown()
        tester.send(
            .loadEnded(LoadID(1), LoadEnding(.failed)), after: 500)
        tester.expect("top failed after failed", "end 1.1 refresh failed")
        let start = tester.now
        tester.passDeadline()
        #expect(tester.now == start.advanced(byMilliseconds: 1500.0))
        tester.expect("inset top 0 in 100", "offset 0 in 100", "top finishing")
        tester.send(.retryRequested(.refresh))
        tester.expect(
            "top refreshing by retry", "inset top 60 in 100", "offset -60 in 100",
            "load 1.2 refresh manual by retry, page 1 offset 0 size 10 attempt 2")
        tester.finish(2, .timedOut)
        tester.expect("top refreshing after timedOut", "end 1.2 refresh timedOut")
        tester.send(.timePassed, after: 10_000)
        tester.skip()
    }

    @Test(
        "A cancelled or refused refresh closes at once",
        arguments: [
            LoadResult.cancelled, .refused,
        ])
    func cancelled(result: LoadResult) {
        var tester = Self.shown()
        tester.finish(1, result)
        tester.expect(
            "inset top 0 in 100", "offset 0 in 100", "top finishing after \(result)",
            "end 1.1 refresh \(result)")
    }

    @Test("Each step of the display has its full time, even if the caller of the engine is late")
    func late() {
        var tester = Self.shown()
        tester.finish(1, .success, count: 10)
        tester.skip()
        tester.send(.timePassed, after: 60_000)
        tester.expect("top succeeded")
        tester.passDeadline()
        tester.skip()
        tester.passDeadline()
        tester.expect("top idle")
    }

    @Test(
        "A touch ends the display, and a further pull refreshes again", arguments: 0...2)
    func touch(deadlines: Int) {
        var tester = Self.shown()
        tester.finish(1, .success, count: 10)
        tester.skip()
        for _ in 0..<deadlines {
            tester.passDeadline()
            tester.skip()
        }
        let lies = tester.engine.offset
        tester.scroll(.began, lies)
        tester.expect("top idle")
        #expect(tester.engine.nextDeadline == tester.now.advanced(byMilliseconds: 5000.0))
        tester.scroll(.dragging, lies - 70)
        tester.expect("top pulling 1", "top eligible 1", "selection")
        tester.scroll(.ended, lies - 70)
        let inset = deadlines == 2 ? ["inset top 60 in 100"] : []
        tester.expect(
            ["impact", "top refreshing by finger"] + inset + [
                "load 1.2 refresh refreshControl by finger, page 1 offset 0 size 10"
            ])
        tester.finish(2, .cancelled)
        tester.skip()
    }

    @Test("A request uses a visible indicator, and reveals a closed one", arguments: 0...2)
    func request(deadlines: Int) {
        var tester = Self.shown()
        tester.finish(1, .success, count: 10)
        tester.skip()
        for _ in 0..<deadlines {
            tester.passDeadline()
            tester.skip()
        }
        tester.send(.refreshRequested(cause: .key, animated: false))
        let room = deadlines == 2 ? ["inset top 60", "offset -60"] : []
        tester.expect(
            ["top refreshing by key"] + room + [
                "load 1.2 refresh manual by key, page 1 offset 0 size 10"
            ])
        #expect(
            tester.engine.nextDeadline == tester.now.advanced(byMilliseconds: 30_000.0),
            "the deadline of a completion display remains")
        tester.finish(2, .cancelled)
        tester.skip()
    }

    @Test("`begin` during the display keeps the indicator shown without a load")
    func begin() {
        var tester = Self.shown()
        tester.finish(1, .success, count: 10)
        tester.skip()
        tester.send(.indicatorShowRequested(animated: false))
        tester.expect("top refreshing by visual")
        #expect(tester.engine.nextDeadline == nil)
        tester.send(.indicatorHideRequested(animated: false))
        tester.expect("inset top 0", "offset 0", "top idle")
    }

    @Test("Disabling the edge ends the display at once")
    func disabled() {
        var tester = Self.shown()
        tester.finish(1, .success, count: 10)
        tester.skip()
        tester.send(.edgeEnabled(.refresh, false))
        tester.expect("inset top 0 in 100", "offset 0 in 100", "top disabled")
        #expect(tester.engine.nextDeadline == nil)
    }

    @Test("With closing `atOnce`, no finishing state is sent")
    func atOnce() {
        var tester = Self.shown {
            $0.closing = .atOnce
            $0.minVisible = 0
            $0.successHold = 0
        }
        tester.finish(1, .success, count: 10)
        tester.expect(
            "inset top 0 in 100", "offset 0 in 100", "top idle after success",
            "end 1.1 refresh success", "list 10 and more")
    }

    @Test(
        "With closing `atRelease`, the display waits only for the finger", arguments: [true, false])
    func atRelease(isFingerDown: Bool) {
        var tester = Self.shown {
            $0.closing = .atRelease
            $0.minVisible = 0
            $0.successHold = 0
        }
        if isFingerDown { tester.scroll(.began, -60) }
        tester.finish(1, .success, count: 10)
        guard isFingerDown else {
            return tester.expect(
                "top idle after success", "inset top 0 in 100", "offset 0 in 100",
                "end 1.1 refresh success", "list 10 and more")
        }
        tester.expect("top finishing after success", "end 1.1 refresh success", "list 10 and more")
        tester.scroll(.dragging, -20)
        tester.scroll(.ended, -20)
        tester.expect("top idle", "inset top 0 in 100")
    }

    @Test("A release ends the closing even if the option `closing` has changed before")
    func changedPolicy() {
        var tester = Self.shown {
            $0.closing = .atRelease
            $0.minVisible = 0
            $0.successHold = 0
        }
        tester.scroll(.began, -60)
        tester.finish(1, .success, count: 10)
        tester.skip()
        var refresh = tester.engine.options.refresh
        refresh?.closing = .animated
        tester.send(
            .edgesConfigured(refresh: refresh, loadMore: tester.engine.options.loadMore))
        tester.scroll(.cancelled, -60)
        tester.expect("top idle", "inset top 0 in 100")
    }

    @Test(
        "With closing `atStep`, the display ends with the current step",
        arguments: [(16.0, 284.0), (300, 0), (899, 1), (900.5, 299.5)])
    func atStep(after: Double, rest: Double) {
        var tester = Self.shown {
            $0.closing = .atStep
            $0.step = 300
            $0.minVisible = 0
            $0.successHold = 0
        }
        tester.send(.loadEnded(LoadID(1), LoadEnding(.success, count: 10)), after: after)
        let state = rest == 0 ? "idle" : "finishing"
        tester.expect(
            "inset top 0 in 100", "offset 0 in 100", "top \(state) after success",
            "end 1.1 refresh success", "list 10 and more")
        guard rest > 0 else { return }
        let ended = tester.now
        tester.passDeadline()
        tester.expect("top idle")
        #expect(tester.now == ended.advanced(byMilliseconds: rest))
    }
}
