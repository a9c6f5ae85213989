import RefreshEngine
import RefreshProtocol
import Testing

/// What happens while something else is still under way.
@Suite("Overtaken by events")
struct OvertakenTests {
    @Test(
        "A touch on a list that was sent back is no pull, wherever it lies, until it goes farther",
        arguments: [Profile.uikit, .appcoda, .jackrabbit, .default])
    func touchOnTheWayBack(profile: Profile) {
        var tester = EngineTester(
            .of(profile) {
                $0.refresh?.minVisible = 0
                $0.refresh?.successHold = 0
            })
        let length = tester.engine.options.refresh?.length ?? 0
        tester.loadFirstPage()
        #expect(tester.engine.offset == 0)
        tester.scroll(.began, -length, after: 4)
        tester.skip()
        tester.scroll(.dragging, -length - 2)
        tester.expectNothing()
        tester.scroll(.ended, -length - 2)
        #expect(tester.engine.refresh.load == nil)
        tester.skip()
        tester.scroll(.began, -length)
        tester.skip()
        tester.scroll(.dragging, -length - 30)
        tester.skip()
        tester.scroll(.ended, -length - 30)
        tester.skip()
        #expect(tester.engine.refresh.load == LoadID(2))
        tester.finish(2, .cancelled)
        tester.skip()
    }

    @Test("A room that closes at a release has its list held for a while as well")
    func touchWhileTheRoomCloses() {
        var tester = EngineTester(.iq())
        tester.pullAndRelease(to: -64)
        tester.skip()
        tester.scroll(.idle, -60)
        tester.skip()
        tester.scroll(.began, -60)
        tester.finish(1, .success, count: 10)
        tester.skip()
        tester.scroll(.ended, -60)
        tester.expect("inset top 0 in 100")
        tester.scroll(.began, -60)
        tester.scroll(.ended, -60)
        tester.expectNothing()
        tester.expect(top: .idle)
    }

    @Test(
        "A floor that closes under a finger leaves it a list that was not pulled",
        arguments: [true, false])
    func floorClosesUnderAFinger(isRemoved: Bool) {
        var tester = Self.openFloor()
        tester.scroll(.began, -800)
        tester.skip()
        if isRemoved {
            var options = tester.engine.options
            options.refresh?.floor = nil
            tester.send(
                .edgesConfigured(refresh: options.refresh, loadMore: options.loadMore))
        } else {
            tester.send(.floorRequested(isOpen: false))
            tester.skip()
            tester.send(.timePassed, after: 400)
        }
        tester.skip()
        #expect(tester.engine.floor == .closed)
        tester.scroll(.dragging, -800)
        tester.scroll(.dragging, -140)
        tester.expectNothing()
        tester.scroll(.ended, -140)
        tester.expect("inset top 0 in 100")
        tester.expect(top: .idle)
    }

    @Test("A finger that leaves a closing floor leaves the list to go home")
    func releaseWhileTheFloorCloses() {
        var tester = Self.openFloor()
        tester.scroll(.began, -800)
        tester.skip()
        tester.send(.floorRequested(isOpen: false))
        tester.skip()
        tester.scroll(.dragging, -790)
        tester.scroll(.ended, -790)
        tester.expect("offset 0 in 300", "inset top 0 in 100")
    }

    @Test("A refresh that ends while the floor closes leaves the list at its start")
    func refreshEndsWhileTheFloorCloses() {
        var tester = Self.openFloor()
        tester.send(.refreshRequested(cause: .code, animated: true))
        tester.skip()
        tester.send(.floorRequested(isOpen: false))
        tester.skip()
        tester.finish(1, .success, count: 10)
        tester.skip()
        tester.comeToRest()
        #expect(tester.engine.offset == 0)
        #expect(tester.engine.insets.sentStart == 0)
    }

    @Test("A page too short for the viewport is followed by another while the indicator lingers")
    func fillsWhileLingering() {
        var tester = EngineTester(.of(.default) { $0.isClientBacked = false })
        tester.loadFirstPage()
        #expect(tester.engine.refresh.phase == .lingering(.success))
        tester.change(content: 300)
        tester.skip()
        #expect(tester.engine.loadMore.phase == .loading(LoadID(2)))
        tester.finish(2, .cancelled)
        tester.skip()
    }

    @Test("New content ends a back-off")
    func backOffEnds() {
        var tester = EngineTester(.iq { $0.loadMore?.backOff = 8000 })
        tester.loadFirstPage()
        tester.drag(to: 1200)
        tester.skip()
        tester.finish(2, .failed)
        tester.skip()
        tester.scroll(.ended, 1200)
        tester.send(.retryRequested(.loadMore))
        tester.skip()
        tester.finish(3, .success, count: 10)
        tester.skip()
        tester.change(content: 4000)
        tester.scroll(.idle, 1200)
        tester.skip()
        tester.scroll(.began, 3000)
        tester.skip()
        tester.scroll(.dragging, 3200)
        tester.skip()
        #expect(tester.engine.loadMore.phase == .loading(LoadID(4)))
        tester.finish(4, .cancelled)
        tester.skip()
    }

    @Test("An anchor lapses with the content that it was told for")
    func staleAnchor() {
        var tester = EngineTester(.iq(), offset: 300)
        var change = GeometryChange()
        change.anchor = Anchor("m", at: 500)
        tester.send(.geometryChanged(change))
        change = GeometryChange()
        change.content = SizeChange(width: 390, height: 2300)
        change.offset = 600
        tester.send(.geometryChanged(change))
        change = GeometryChange()
        change.anchor = Anchor("m", at: 800)
        tester.send(.geometryChanged(change))
        tester.expectNothing()
        #expect(tester.engine.offset == 600)
    }

    @Test("A page is full by the size that was asked for, whatever the paging is now")
    func pagingChanges() {
        var tester = EngineTester(.iq())
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        let options = tester.engine.options
        tester.send(
            .edgesConfigured(
                refresh: options.refresh, loadMore: options.loadMore,
                paging: PagingOptions(style: .page, first: 1, size: 50)))
        tester.skip()
        tester.finish(1, .success, count: 10)
        tester.skip()
        tester.expect(top: .idle, bottom: .idle)
        #expect(tester.engine.paging.hasMore)
    }

    @Test("Inertia that falls silent has come to rest")
    func silentInertia() {
        var tester = EngineTester(.iq())
        tester.scroll(.began, 300)
        tester.scroll(.dragging, 200)
        tester.scroll(.ended, 100)
        tester.scroll(.decelerating, 0)
        tester.skip()
        tester.send(.timePassed, after: 300_000)
        tester.expectNothing()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.expect(
            "top refreshing by code", "inset top 60", "offset -60",
            "load 1.1 refresh manual by code, page 1 offset 0 size 10")
        tester.finish(1, .cancelled)
        tester.skip()
    }

    @Test("A room that is shown keeps its size, whatever its options are now")
    func roomIsConfigured() {
        var tester = EngineTester(.of(.mrefresh))
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        var options = tester.engine.options
        options.refresh?.room = 120
        tester.send(.edgesConfigured(refresh: options.refresh, loadMore: options.loadMore))
        tester.scroll(.began, -80)
        tester.scroll(.ended, -80)
        tester.expectNothing()
        #expect(tester.engine.insets.sentStart == 80)
        tester.finish(1, .cancelled)
        tester.skip()
    }

    @Test("A request that comes while a page loads does not become its cause")
    func causeIsKept() {
        var tester = EngineTester(.iq { $0.isClientBacked = true })
        tester.send(.loadMoreRequested(cause: .code))
        tester.expect(
            "bottom triggered by code", "load 1.1 more manual by code, page 1 offset 0 size 10")
        tester.send(.loadMoreRequested(cause: .key))
        tester.expectNothing()
        tester.send(.loadBegan(LoadID(1), accepted: true))
        tester.expect("bottom loading by code", "inset bottom 60 in 100")
        tester.finish(1, .cancelled)
        tester.skip()
    }

    @Test("A list that rests at its end does not become the cause of a page that waits")
    func restKeepsTheCause() {
        var tester = EngineTester(.iq { $0.loadMore?.whileRefreshing = .queue })
        tester.loadFirstPage()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.drag(to: 600)
        tester.skip()
        for phase in [ScrollPhase.dragging, .ended, .idle] {
            tester.scroll(phase, 1200)
            tester.skip()
        }
        tester.finish(2, .failed)
        tester.expect(
            "inset top 0 in 100", "top idle after failed", "end 1.2 refresh failed",
            "bottom loading by code", "inset bottom 60 in 100",
            "load 1.3 more manual by code, page 2 offset 10 size 10")
        tester.finish(3, .cancelled)
        tester.skip()
    }

    @Test("A failed page stays failed while the list goes on towards its end, only slower")
    func slowerIsNotAway() {
        var tester = EngineTester(
            .iq { $0.loadMore?.leadTime = 2000 }, .sizes(content: 20_000))
        tester.loadFirstPage()
        tester.drag(to: 17_000)
        for step in 1...12 {
            tester.skip()
            tester.scroll(.dragging, 17_000 + 60 * Double(step))
        }
        tester.skip()
        #expect(tester.engine.loadMore.phase == .loading(LoadID(2)))
        tester.finish(2, .failed)
        tester.skip()
        let place = tester.engine.offset
        for step in 1...6 {
            tester.scroll(.dragging, place + Double(step), after: 150)
            tester.expectNothing()
        }
        tester.expect(top: .idle, bottom: .failed)
        tester.scroll(.dragging, place - 3000)
        tester.expect("bottom idle")
    }

    @Test("An edge that is off has nothing to retry")
    func retryOfNothing() {
        var tester = EngineTester(.iq())
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.finish(1, .failed)
        tester.skip()
        tester.send(.edgeEnabled(.refresh, false))
        tester.skip()
        tester.send(.retryRequested(.refresh))
        tester.expect("refuse nothingToRetry")
    }

    @Test("A floor that is taken away says so")
    func floorIsTakenAway() {
        var tester = EngineTester(
            .iq {
                $0.announces = true
                $0.refresh?.floor = FloorOptions(length: 120)
            })
        tester.send(.floorRequested(isOpen: true))
        tester.skip()
        tester.passDeadline()
        tester.skip()
        tester.send(.edgeEnabled(.refresh, false))
        tester.expect("inset top 0", "floor closed", "offset 0", "say floorClosed", "top disabled")
    }

    private static func openFloor() -> EngineTester {
        var tester = EngineTester(.iq { $0.refresh?.floor = FloorOptions(length: 120) })
        tester.send(.floorRequested(isOpen: true))
        tester.skip()
        tester.passDeadline()
        tester.skip()
        return tester
    }
}
