import RefreshEngine
import RefreshProtocol
import Testing

/// Events that occur while another operation is still in progress.
@Suite("Events during other operations")
struct OvertakenTests {
    @Test(
        "A touch on a list that moves back is a pull only if the finger moves the list outwards",
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

    @Test("If a room closes at a release, a touch before the list has moved back is not a pull")
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
        "If a floor closes under a finger, the list counts as not pulled",
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

    @Test("If a finger leaves a closing floor, the list returns to its start")
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

    @Test("If a refresh ends while the floor closes, the list comes to rest at its start")
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

    @Test("While the indicator lingers, content that does not fill the viewport causes a request")
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

    @Test("New content without an anchor drops the last anchor")
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

    @Test("A page is full if it has the requested size, even if the paging changes during its load")
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

    @Test("If inertia sends no more samples, the list counts as at rest")
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

    @Test("A visible room keeps its size when the options of its edge change")
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

    @Test("A request during a load does not change the cause of the load")
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

    @Test("If the list comes to rest at its end, a load that waits keeps its cause")
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

    @Test("A failed page stays failed while the list slows down on its way to the end")
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

    @Test("The request `retry` for a disabled edge is refused")
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

    @Test("A floor that is removed reports that it is closed")
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
        tester.expect(
            "inset top 0", "floor closed", "offset 0", "announce floorClosed", "top disabled")
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
