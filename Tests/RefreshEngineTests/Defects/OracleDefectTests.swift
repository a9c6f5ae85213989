import RefreshEngine
import RefreshProtocol
import Testing

/// Tests of verdicts that `OriginalDefectTests` does not cover. An original is a library whose runs
/// were recorded. A verdict judges one behaviour of an original (see `Verdict`). The tests cover
/// the verdicts that concern the engine. Each test sentence begins with `O-` and the number of its
/// verdict.
@Suite("Verdicts on the recorded originals")
struct OracleDefectTests {
    @Test("O-IQ-8: After a pulled top edge is disabled, the end of the list requests a page")
    func iq8() {
        var tester = EngineTester()
        tester.loadFirstPage()
        tester.drag(to: -30)
        tester.skip()
        tester.send(.edgeEnabled(.refresh, false))
        tester.expect("top disabled")
        tester.scroll(.dragging, 1100)
        tester.scroll(.dragging, 1200)
        tester.expect(
            "impact", "bottom loading by finger",
            "load 1.2 more reachAtEnd by finger, page 2 offset 10 size 10")
        tester.finish(2, .cancelled)
        tester.skip()
    }

    @Test(
        "O-IQ-9: A disabled or absent top edge never blocks load-more", arguments: [true, false])
    func iq9(isThere: Bool) {
        var tester = EngineTester(
            .iq { options in
                options.isClientBacked = true
                if isThere { options.refresh?.isEnabled = false } else { options.refresh = nil }
            })
        tester.drag(to: 1200)
        #expect(tester.engine.loadMore.phase == .loading(LoadID(1)))
        tester.skip()
        tester.finish(1, .cancelled)
        tester.skip()
    }

    @Test(
        "O-IQ-11: If content does not exceed the viewport, a pull requests no page",
        arguments: [
            0.0, 300, 800, 800.3,
        ])
    func iq11(content: Double) {
        var tester = EngineTester(.iq(), .sizes(content: content))
        tester.loadFirstPage()
        tester.scroll(.began, 0)
        tester.skip()
        tester.scroll(.dragging, -20)
        tester.skip()
        tester.scroll(.ended, -20)
        tester.scroll(.decelerating, -5)
        tester.skip()
        tester.scroll(.decelerating, 0)
        tester.skip()
        tester.scroll(.idle, 0)
        tester.skip()
        tester.expect(top: .idle)
        tester.drag(to: 1)
        #expect(tester.engine.loadMore.phase == .loading(LoadID(2)))
        tester.skip()
        tester.finish(2, .cancelled)
        tester.skip()
    }

    @Test("O-IQ-11: A bounce requests no page, even if the preload moves the threshold to the top")
    func iq11Preload() {
        var tester = EngineTester(.iq { $0.loadMore?.preload = 200 }, .sizes(content: 900))
        tester.loadFirstPage()
        tester.drag(to: -50)
        tester.skip()
        tester.scroll(.ended, -50)
        tester.scroll(.decelerating, -10)
        tester.skip()
        tester.scroll(.decelerating, 0)
        tester.expect("top idle", "bottom approaching 1")
        tester.scroll(.idle, 0)
        tester.expect("bottom idle")
    }

    @Test(
        "O-IQ-12: One finger requests each load only once, whatever the result of the load",
        arguments: [
            LoadResult.success, .failed, .cancelled, .refused,
        ])
    func iq12(result: LoadResult) {
        var tester = EngineTester(
            .iq { options in
                options.refresh?.trigger = .reach
                options.isClientBacked = true
            })
        for (offset, load) in [(-80.0, LoadID(1)), (1210, LoadID(2))] {
            tester.scroll(.began, 500)
            tester.skip()
            tester.scroll(.dragging, offset)
            #expect((tester.engine.refresh.load ?? tester.engine.loadMore.load) == load)
            tester.skip()
            if result == .refused {
                tester.send(.loadBegan(load, accepted: false))
            } else {
                tester.finish(load.number, result, count: 10)
            }
            tester.skip()
            for step in 1...10 {
                tester.scroll(.dragging, offset + Double(step % 2))
                tester.skip()
            }
            #expect(tester.engine.refresh.load == nil && tester.engine.loadMore.load == nil)
            tester.scroll(.idle, 500)
            tester.skip()
        }
    }

    @Test("O-IQ-13: The edge fires at the release, not at the first sample after the release")
    func iq13() {
        var tester = EngineTester()
        tester.drag(to: -61)
        tester.skip()
        tester.scroll(.ended, -61)
        tester.expect(
            "impact", "top refreshing by finger", "inset top 60 in 100",
            "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10")
        tester.finish(1, .success, count: 10)
        tester.skip()
    }

    @Test("O-IQ-16: A length of 0, a negative preload and a negative duration are refused")
    func iq16() {
        for setting in [
            OptionSetting(.length, .number(0)), OptionSetting(.preload, .number(-1)),
            OptionSetting(.insetDuration, .number(-1)),
        ] {
            for edge in [\EdgeSettings.top, \.bottom] {
                var settings = EdgeSettings()
                settings[keyPath: edge] = .overrides([setting])
                var options = ViewOptions.iq()
                #expect(throws: Fault(.invalidOption, option: setting.field)) {
                    try options.apply(settings)
                }
                #expect(options == .iq())
            }
        }
    }

    @Test("O-IQ-S2: The release fires the edge even if a finger touches the list again at once")
    func releaseAndCatch() {
        var tester = EngineTester()
        tester.pullAndRelease(to: -90)
        tester.skip()
        tester.scroll(.began, -90)
        tester.scroll(.dragging, -20)
        tester.expect(top: .refreshing(LoadID(1)))
        tester.finish(1, .success, count: 10)
        tester.expect("top idle after success", "end 1.1 refresh success", "list 10 and more")
        tester.scroll(.ended, 0)
        tester.expect("inset top 0 in 100")
    }

    @Test("O-IQ-20: If an answer has twenty items instead of ten, the next page is page 2")
    func iq20() {
        var tester = EngineTester()
        tester.loadFirstPage(count: 20)
        tester.send(.loadMoreRequested(cause: .code))
        tester.expect(
            "bottom loading by code", "inset bottom 60 in 100",
            "load 1.2 more manual by code, page 2 offset 20 size 10")
        tester.finish(2, .success, count: 10)
        tester.skip()
    }

    @Test("O-IQ-21: If an answer is sent twice, its result is reported once")
    func iq21() {
        var tester = EngineTester()
        tester.loadFirstPage()
        tester.finish(1, .success, count: 10)
        tester.expect("late 1.1")
    }
}
