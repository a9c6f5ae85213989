import RefreshEngine
import RefreshProtocol
import Testing

/// Tests when the load-more edge requests the next page, and when it does not repeat a request. The
/// list ends at the offset 1200. Each page has ten items.
@Suite("The load-more arbiter")
struct ArbiterTests {
    @Test("preloadItems is converted to a distance with the mean size of the items in the list")
    func items() {
        var tester = EngineTester(.iq { $0.loadMore?.preloadItems = 3 })
        tester.loadFirstPage()
        // Each of the ten items has 200 points. Three items have 600 points.
        tester.drag(to: 570)
        tester.expect("bottom approaching 0.5")
        tester.scroll(.dragging, 600)
        tester.expect(
            "impact", "bottom loading by finger",
            "load 1.2 more reachAtEnd by finger, page 2 offset 10 size 10")
        tester.finish(2, .cancelled)
        tester.skip()
    }

    @Test("Of preload and preloadItems, the one with the greater distance counts")
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

    /// Returns the offset at which a list that moves by `step` points per sample requests a page.
    /// The load of the previous page took `latency` ms.
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

    @Test("With leadTime, a faster list or slower pages cause an earlier request")
    func time() {
        let slow = Self.place(step: 1, latency: 100)
        let fast = Self.place(step: 64, latency: 100)
        let patient = Self.place(step: 64, latency: 1000)
        // The fast list moves 4 points per millisecond. If the previous page took 100 ms, the list
        // requests the next page 300 ms before the end. If the previous page took 1,000 ms, it
        // requests the next page 1,200 ms before the end.
        #expect((18_700...18_864).contains(fast), "\(fast)")
        #expect((15_100...15_264).contains(patient), "\(patient)")
        #expect((19_980...20_000).contains(slow), "\(slow)")
    }

    @Test("The progress does not decrease when the list slows down before the end")
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

    @Test("Each failure doubles the time until a gesture may request again, up to backOffMax")
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
                #expect(tester.engine.loadMore.load == nil, "a load began before \(time) ms")
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
        #expect(tester.engine.loadMore.phase == .loading(LoadID(load)), "a retry waits")
        tester.skip()
        tester.finish(load, .success, count: 10)
        tester.skip()
    }

    /// Drags a list from outside the zone to its end. The first sample is sent `time - 16` ms after
    /// the last event. The second sample, at the end, is sent `time` ms after that event.
    private static func reachEnd(_ tester: inout EngineTester, after time: Double) {
        tester.scroll(.began, 900, after: time - 16)
        tester.skip()
        tester.scroll(.dragging, 1200)
        tester.skip()
    }

    @Test("With rearm `gesture`, a new touch at the same place requests again after a failure")
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
        "With rearm `gesture`, a gesture requests a second page only after new content")
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
        #expect(
            tester.engine.loadMore.phase == .loading(LoadID(4)), "the next gesture requests no page"
        )
        tester.finish(4, .cancelled)
        tester.skip()
        tester.scroll(.dragging, 2000)
        tester.scroll(.dragging, 3201)
        tester.skip()
        #expect(tester.engine.loadMore.load == nil, "the same gesture requests a second page")
    }

    @Test(
        "A movement away from the end requests a page only if needsApproach is false",
        arguments: [true, false])
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

    @Test("Only the allowed intents request a page", arguments: Cause.requests)
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

    @Test(
        "If only fingers may request pages, a fling shows `approaching` and requests no page")
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
