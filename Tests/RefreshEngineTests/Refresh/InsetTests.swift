import RefreshEngine
import RefreshProtocol
import Testing

@Suite("Insets")
struct InsetTests {
    @Test("No inset is sent under a finger, and the release sends the withheld insets")
    func withheld() {
        var tester = EngineTester(.iq { $0.refresh?.trigger = .reach })
        tester.drag(to: -60)
        tester.expect(
            "impact", "top refreshing by finger",
            "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10")
        #expect(tester.engine.insets.desiredStart == 60)
        #expect(tester.engine.insets.sentStart == 0)
        tester.scroll(.ended, -60)
        tester.expect("inset top 60 in 100")
        tester.scroll(.began, -60)
        tester.finish(1, .success, count: 10)
        tester.expect("top idle after success", "end 1.1 refresh success", "list 10 and more")
        tester.scroll(.cancelled, -60)
        // The list lies where the refresh has moved it, which is not a pull.
        tester.expect("inset top 0 in 100")
        tester.scroll(.idle, 0)
    }

    @Test("A refresh that begins and ends while the same finger is down sends no inset")
    func nothingLeft() {
        var tester = EngineTester(.iq { $0.refresh?.trigger = .reach })
        tester.drag(to: -60)
        tester.skip()
        tester.finish(1, .success, count: 10)
        tester.expect("top idle after success", "end 1.1 refresh success", "list 10 and more")
        tester.scroll(.ended, -20)
        tester.expect("top pulling \(20.0 / 60)")
        tester.scroll(.idle, 0)
        tester.expect("top idle")
    }

    @Test("Exactly the added inset is removed, even if insets and options change meanwhile")
    func exact() {
        var tester = EngineTester()
        tester.pullAndRelease(to: -64)
        tester.skip()
        var options = tester.engine.options.refresh
        options?.length = 100
        tester.send(.edgesConfigured(refresh: options, loadMore: tester.engine.options.loadMore))
        tester.expectNothing()
        tester.change(top: 20)
        tester.scroll(.idle, -80)
        tester.finish(1, .success, count: 10)
        tester.expect(
            "inset top 0 in 100", "offset -20 in 100", "top idle after success",
            "end 1.1 refresh success", "list 10 and more")
        #expect(tester.engine.insets == InsetLedger())
    }

    @Test("Without the option `hold`, the daemon sets no inset")
    func noHold() {
        var tester = EngineTester(
            .uikit { options in
                options.refresh?.trigger = .release
                options.loadMore?.holdsInset = false
            })
        tester.pullAndRelease(to: -60)
        tester.expect(
            "impact", "top refreshing by finger",
            "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10")
        tester.finish(1, .success, count: 10)
        tester.expect("top idle after success", "end 1.1 refresh success", "list 10 and more")
        tester.send(.loadMoreRequested(cause: .code))
        tester.expect(
            "bottom loading by code", "load 1.2 more manual by code, page 2 offset 10 size 10")
        tester.finish(2, .success, count: 10)
        tester.expect("bottom idle after success", "end 1.2 more success", "list 20 and more")
    }

    @Test("The inset command has the duration of the option `insetDuration`")
    func duration() {
        var tester = EngineTester(.iq { $0.refresh?.insetDuration = 250 })
        tester.pullAndRelease(to: -60)
        tester.expect(
            "impact", "top refreshing by finger", "inset top 60 in 250",
            "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10")
        tester.finish(1, .success, count: 10)
        tester.expect(
            "inset top 0 in 250", "top idle after success", "end 1.1 refresh success",
            "list 10 and more")
    }
}
