import RefreshProtocol
import Testing

@testable import RefreshEngine

@Suite("Golden numbers")
struct GoldenNumberTests {
    @Test(
        "The rubber band shows the same offsets as UIScrollView",
        arguments: [
            (10, 5.463), (50, 26.599), (100, 51.511), (200, 96.876), (400, 173.101), (812, 288.129),
        ])
    func rubberBand(distance: Double, overshoot: Double) {
        let band = Damping(curve: .uiscrollview, viewport: 812, length: 60)
        let shown = band.overshoot(distance: distance)
        #expect(abs(shown - overshoot) < 0.0005)
        let back = band.distance(overshoot: shown)
        #expect(abs(back - distance) < 1e-9)
    }

    @Test(
        "With the length 80 and the top inset 88, the progress of a pull is 0 at -88 and 1 at -168",
        arguments: [
            (-88, 0), (-128, 0.5), (-168, 1), (-168.5, 1), (-108, 0.25), (-87, 0),
        ])
    func pull(offset: Double, progress: Double) {
        var tester = EngineTester(.iq(length: 80), .sizes(top: 88))
        tester.drag(to: offset)
        tester.skip()
        let phase = tester.engine.refresh.phase
        #expect(phase.progress == progress)
        #expect(phase.state == (progress == 0 ? .idle : progress == 1 ? .eligible : .pulling))
    }

    @Test(
        "The load-more progress grows over the last 60 points before the threshold",
        arguments: [
            (LoadMoreMode.limit, 1161.0, 0.0), (.limit, 1162, 0), (.limit, 1192, 0.5),
            (.limit, 1222, 1),
            (.user, 1222, 0), (.user, 1252, 0.5), (.user, 1282, 1),
        ])
    func approach(mode: LoadMoreMode, offset: Double, progress: Double) {
        var tester = EngineTester(
            .iq { options in
                options.loadMore?.mode = mode
                options.loadMore?.trigger = .release
            }, .sizes(viewport: 812, content: 2000, top: 88, bottom: 34))
        tester.loadFirstPage()
        tester.drag(to: offset)
        tester.skip()
        let phase = tester.engine.loadMore.phase
        #expect(phase.progress == progress)
        #expect(phase.state == (progress == 0 ? .idle : progress == 1 ? .eligible : .approaching))
    }

    @Test(
        "The load-more edge of short content is at its resting offset",
        arguments: [
            (LoadMoreMode.limit, -88.0, 1.0), (.limit, -118, 0.5), (.user, -88, 0),
            (.user, -58, 0.5),
            (.user, -28, 1),
        ])
    func shortContent(mode: LoadMoreMode, offset: Double, progress: Double) {
        var tester = EngineTester(
            .iq { options in
                options.refresh = nil
                options.loadMore?.mode = mode
                options.loadMore?.trigger = .release
                options.isClientBacked = true
            }, .sizes(viewport: 812, content: 300, top: 88, bottom: 34))
        tester.drag(to: offset)
        tester.skip()
        #expect(tester.engine.loadMore.phase.progress == progress)
    }

    @Test("With the length 80, a pull gives the states and haptics of IQPullToRefresh, in order")
    func trace() {
        var tester = EngineTester(.iq(length: 80))
        tester.scroll(.began, 0)
        tester.scroll(.dragging, -40)
        tester.expect("top pulling 0.5")
        tester.scroll(.dragging, -80)
        tester.expect("top pulling 1", "top eligible 1", "selection")
        tester.scroll(.dragging, -60)
        tester.expect("selection", "top pulling 0.75")
        tester.scroll(.dragging, -90)
        tester.expect("top pulling 1", "top eligible 1", "selection")
        tester.scroll(.ended, -90)
        tester.expect(
            "impact", "top refreshing by finger", "inset top 80 in 100",
            "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10")
        tester.finish(1, .success, count: 10)
        tester.expect(
            "inset top 0 in 100", "top idle after success", "end 1.1 refresh success",
            "list 10 and more")
    }

    @Test("An engine needs less than one KiB of memory")
    func size() {
        #expect(MemoryLayout<Engine>.size < 1024)
        print("MemoryLayout<Engine>.size = \(MemoryLayout<Engine>.size)")
    }
}
