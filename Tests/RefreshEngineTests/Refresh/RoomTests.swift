import RefreshEngine
import RefreshProtocol
import Testing

/// The room that a refresh holds open, and the conditions under which it opens.
@Suite("The room of a refresh")
struct RoomTests {
    @Test("With `roomZone`, a room opens when the list is near its start and no finger is down")
    func zone() {
        var tester = EngineTester(
            .iq { options in
                options.refresh?.trigger = .reach
                options.refresh?.roomZone = 20
            })
        tester.drag(to: -60)
        tester.expect(
            "impact", "top refreshing by finger",
            "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10")
        tester.scroll(.dragging, 300)
        tester.scroll(.ended, 300)
        tester.expectNothing()
        tester.scroll(.decelerating, 20.5)
        tester.expectNothing()
        tester.scroll(.decelerating, 20)
        tester.expect("inset top 60 in 100")
        tester.scroll(.decelerating, 400)
        tester.scroll(.idle, 400)
        tester.expectNothing()
        tester.finish(1, .success, count: 10)
        tester.expect(
            "inset top 0 in 100", "top idle after success", "end 1.1 refresh success",
            "list 10 and more")
    }

    @Test("With `roomZone`, a room opens at the release, and for a request at rest")
    func zoneAtRelease() {
        var tester = EngineTester(.iq { $0.refresh?.roomZone = 0 })
        tester.pullAndRelease(to: -64)
        tester.expect(
            "impact", "top refreshing by finger", "inset top 60 in 100",
            "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10")
        tester.scroll(.idle, -60)
        tester.finish(1, .cancelled)
        tester.skip()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.expect(
            "top refreshing by code", "inset top 60", "offset -60",
            "load 1.2 refresh manual by code, page 1 offset 0 size 10")
        tester.finish(2, .cancelled)
        tester.skip()
    }

    @Test("A floating room shrinks as the list moves back, so that a header stays at the edge")
    func floating() {
        var tester = EngineTester(.iq { $0.refresh?.isFloating = true })
        tester.pullAndRelease(to: -64)
        tester.expect(
            "impact", "top refreshing by finger", "inset top 60 in 100",
            "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10")
        tester.scroll(.decelerating, -20)
        tester.expect("inset top 20")
        tester.scroll(.decelerating, 300)
        tester.expect("inset top 0")
        tester.scroll(.idle, 300)
        tester.scroll(.began, 300)
        tester.scroll(.dragging, -30)
        tester.expectNothing()
        tester.scroll(.ended, -30)
        tester.skip()
        #expect(tester.engine.insets.sentStart == 30)
        tester.scroll(.idle, -30)
        tester.finish(1, .success, count: 10)
        tester.expect(
            "inset top 0 in 100", "offset 0 in 100", "top idle after success",
            "end 1.1 refresh success", "list 10 and more")
    }

    @Test("A floating room opens for a request at rest, but not if the user is elsewhere")
    func floatingRequest() {
        var tester = EngineTester(.iq { $0.refresh?.isFloating = true })
        tester.send(.refreshRequested(cause: .code, animated: true))
        tester.expect(
            "top refreshing by code", "inset top 60 in 100", "offset -60 in 100",
            "load 1.1 refresh manual by code, page 1 offset 0 size 10")
        tester.finish(1, .cancelled)
        tester.skip()
        tester.scroll(.idle, 300)
        tester.send(.refreshRequested(cause: .code, animated: true))
        tester.expect(
            "top refreshing by code", "load 1.2 refresh manual by code, page 1 offset 0 size 10")
        tester.finish(2, .cancelled)
        tester.expect("top idle after cancelled", "end 1.2 refresh cancelled")
    }

    @Test("If an inset was not delivered before a touch (`withdrawInsets`), the release sends it")
    func withdrawn() {
        var tester = EngineTester()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.scroll(.began, 0)
        tester.withdrawInsets(clientHasStart: 0, end: 0)
        tester.scroll(.ended, 0)
        tester.expect("inset top 60 in 100")
        tester.finish(1, .cancelled)
        tester.skip()
    }
}
