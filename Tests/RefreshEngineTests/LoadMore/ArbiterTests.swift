import RefreshEngine
import RefreshProtocol
import Testing

/// When the next page is asked for, and when not again. The list ends at 1200, pages are of ten.
@Suite("The load-more arbiter")
struct ArbiterTests {
    @Test("So many items before the end are a distance, by the items that the list has")
    func items() {
        var tester = EngineTester(.iq { $0.loadMore?.preloadItems = 3 })
        tester.loadFirstPage()
        // Ten items of 200 points: 600 before the end.
        tester.drag(to: 570)
        tester.expect("bottom approaching 0.5")
        tester.scroll(.dragging, 600)
        tester.expect(
            "impact", "bottom loading by finger",
            "load 1.2 more reachAtEnd by finger, page 2 offset 10 size 10")
        tester.finish(2, .cancelled)
        tester.skip()
    }

    @Test("The farther of distance and items counts")
    func distance() {
        var tester = EngineTester(
            .iq { options in
                options.loadMore?.preloadItems = 1
                options.loadMore?.preload = 400
            })
        tester.loadFirstPage()
        tester.drag(to: 800)
        tester.skip()
        #expect(tester.engine.loadMore.phase == .loading(LoadID(2)))
        tester.finish(2, .cancelled)
        tester.skip()
    }

    /// Where a list that moves `step` points a sample asks; a page has taken `latency` before.
    private static func place(step: Double, latency: Double) -> Double {
        var tester = EngineTester(
            .iq { $0.loadMore?.leadTime = 200 }, .sizes(content: 20_800))
        tester.loadFirstPage()
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.send(.loadEnded(LoadID(2), LoadEnding(.success, count: 10)), after: latency)
        tester.skip()
        var place = 0.0
        tester.scroll(.began, 0)
        while place < 20_000, tester.engine.loadMore.load == nil {
            place += step
            tester.scroll(.dragging, place)
            tester.skip()
        }
        tester.finish(3, .cancelled)
        tester.skip()
        return place
    }

    @Test("The faster the list and the slower the pages, the earlier it asks")
    func time() {
        let slow = Self.place(step: 1, latency: 100)
        let fast = Self.place(step: 64, latency: 100)
        let patient = Self.place(step: 64, latency: 1000)
        // 300 and 1,200 ms at 4 points a millisecond.
        #expect((18_700...18_864).contains(fast), "\(fast)")
        #expect((15_100...15_264).contains(patient), "\(patient)")
        #expect((19_980...20_000).contains(slow), "\(slow)")
    }

    @Test("Slowing down before the end takes no progress back")
    func slowing() {
        var tester = EngineTester(
            .iq { options in
                options.loadMore?.leadTime = 200
                options.loadMore?.trigger = .release
            })
        tester.loadFirstPage()
        tester.drag(to: 400)
        tester.scroll(.dragging, 800)
        tester.scroll(.dragging, 1150)
        tester.expect("bottom approaching \(10.0 / 60)")
        tester.scroll(.dragging, 1151, after: 199)
        tester.expect("bottom approaching \(11.0 / 60)")
        tester.scroll(.cancelled, 1151)
        tester.scroll(.idle, 1000)
        tester.expect("bottom idle")
    }

    @Test("Each failure doubles the time before a gesture asks again, up to a bound")
    func backOff() {
        var tester = EngineTester(
            .iq { options in
                options.loadMore?.backOff = 1000
                options.loadMore?.backOffMax = 3000
            })
        tester.loadFirstPage()
        var load: UInt32 = 2
        for time in [0.0, 1000, 2000, 3000, 3000] {
            if time > 0 {
                Self.reachEnd(&tester, after: time - 60)
                #expect(tester.engine.loadMore.load == nil, "before \(time)")
                Self.reachEnd(&tester, after: 60)
            } else {
                Self.reachEnd(&tester, after: 16)
            }
            #expect(tester.engine.loadMore.phase == .loading(LoadID(load)), "after \(time)")
            tester.finish(load, .failed)
            tester.skip()
            load += 1
        }
        tester.send(.retryRequested(.loadMore))
        #expect(tester.engine.loadMore.phase == .loading(LoadID(load)), "a retry waits for nothing")
        tester.skip()
        tester.finish(load, .success, count: 10)
        tester.skip()
    }

    /// Leaves the zone and drags to the end, in 32 ms; the first sample `time` after the last.
    private static func reachEnd(_ tester: inout EngineTester, after time: Double) {
        tester.scroll(.began, 900, after: time - 16)
        tester.skip()
        tester.scroll(.dragging, 1200)
        tester.skip()
    }

    @Test("With rearm gesture a new touch asks again where the list is, and after a failure")
    func rearm() {
        var tester = EngineTester(
            .iq { options in
                options.loadMore?.rearm = .gesture
                options.loadMore?.needsApproach = false
            })
        tester.loadFirstPage()
        tester.drag(to: 1200)
        tester.skip()
        tester.finish(2, .failed)
        tester.skip()
        tester.scroll(.dragging, 1201)
        tester.scroll(.ended, 1201)
        tester.skip()
        #expect(tester.engine.loadMore.phase == .failed)
        tester.scroll(.began, 1201)
        tester.expect(
            "bottom idle", "impact", "bottom loading by finger",
            "load 1.3 more reachAtEnd by finger, page 2 offset 10 size 10 attempt 2")
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    @Test(
        "With rearm gesture one gesture asks again only when new content moved the threshold away")
    func rearmInGesture() {
        var tester = EngineTester(.iq { $0.loadMore?.rearm = .gesture })
        tester.loadFirstPage()
        tester.drag(to: 1200)
        tester.skip()
        tester.finish(2, .success, count: 10)
        tester.skip()
        tester.scroll(.dragging, 1205)
        tester.expect("bottom approaching 1")
        tester.change(content: 4000)
        tester.expect("bottom idle")
        tester.scroll(.dragging, 3200)
        tester.expect(
            "impact", "bottom loading by finger",
            "load 1.3 more reachAtEnd by finger, page 3 offset 20 size 10")
        tester.finish(3, .success, count: 10)
        tester.skip()
        tester.scroll(.ended, 3200)
        tester.skip()
        tester.scroll(.began, 3200)
        tester.skip()
        tester.scroll(.dragging, 3201)
        tester.skip()
        #expect(tester.engine.loadMore.phase == .loading(LoadID(4)), "the next gesture asks")
        tester.finish(4, .cancelled)
        tester.skip()
        tester.scroll(.dragging, 2000)
        tester.scroll(.dragging, 3201)
        tester.skip()
        #expect(tester.engine.loadMore.load == nil, "and asks once")
    }

    @Test("Moving away from the end asks only where any direction may", arguments: [true, false])
    func anyDirection(needsApproach: Bool) {
        var tester = EngineTester(
            .iq { options in
                options.loadMore?.preload = 200
                options.loadMore?.needsApproach = needsApproach
            })
        tester.loadFirstPage()
        tester.scroll(.idle, 1100, cause: .code)
        tester.scroll(.began, 1101)
        tester.skip()
        tester.scroll(.dragging, 1090)
        tester.skip()
        #expect((tester.engine.loadMore.load == nil) == needsApproach)
        if !needsApproach { tester.finish(2, .cancelled) }
        tester.skip()
    }

    @Test("A page is asked for by the intents that may", arguments: Cause.requests)
    func intents(cause: Cause) {
        for allowed in Intent.allCases where allowed != .fling {
            var tester = EngineTester(.iq { $0.loadMore?.intents = Intents(allowed) })
            tester.loadFirstPage()
            tester.send(.loadMoreRequested(cause: cause))
            tester.skip()
            let isServed = cause.intent(isFingerDown: true) == allowed
            #expect((tester.engine.loadMore.load != nil) == isServed, "\(allowed)")
            tester.send(.cancelRequested(.loadMore))
            tester.skip()
        }
    }

    @Test("A fling that may not ask shows the end, and a finger that may asks there")
    func noFling() {
        var tester = EngineTester(.iq { $0.loadMore?.intents = [.finger] })
        tester.loadFirstPage()
        tester.scroll(.began, 900)
        tester.scroll(.ended, 1000)
        tester.scroll(.decelerating, 1200)
        tester.expect("bottom approaching 1")
        tester.scroll(.idle, 1200)
        tester.expect("bottom idle")
        tester.drag(to: 1201)
        tester.skip()
        #expect(tester.engine.loadMore.phase == .loading(LoadID(2)))
        tester.finish(2, .cancelled)
        tester.skip()
    }
}
