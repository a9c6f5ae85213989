import RefreshEngine
import RefreshProtocol
import Testing

/// Tests of the second floor. Its threshold is at 200 points. The viewport has 800 points.
@Suite("The second floor")
struct FloorTests {
    private static func options(
        _ change: (inout FloorOptions) -> Void = { _ in }
    ) -> ViewOptions {
        .iq { options in
            var floor = FloorOptions(length: 200)
            floor.velocity = 1000
            change(&floor)
            options.refresh?.floor = floor
        }
    }

    private static func open(
        _ change: (inout FloorOptions) -> Void = { _ in }
    ) -> EngineTester {
        var tester = EngineTester(options(change))
        tester.send(.floorRequested(isOpen: true))
        tester.expect("impact", "floor opening", "inset top 800 in 300", "offset -800 in 300")
        tester.passDeadline()
        tester.expect("floor open")
        #expect(tester.engine.floor == .open)
        return tester
    }

    @Test("Beyond the refresh threshold, a pull approaches and arms the floor. A release opens it")
    func distance() {
        var tester = EngineTester(Self.options())
        tester.drag(to: -60)
        tester.expect("top pulling 1", "top eligible 1", "selection")
        tester.scroll(.dragging, -130)
        tester.expect("floor pulling 0.5")
        tester.scroll(.dragging, -200)
        tester.expect("floor eligible 1", "selection")
        tester.scroll(.dragging, -195)
        tester.expect("selection", "floor pulling \(135.0 / 140)")
        tester.scroll(.dragging, -210)
        tester.expect("floor eligible 1", "selection")
        tester.scroll(.ended, -210)
        tester.expect(
            "top pulling 1", "top idle", "impact", "floor opening", "inset top 800 in 300",
            "offset -800 in 300")
        tester.expect(top: .idle)
        tester.passDeadline()
        tester.expect("floor open")
        tester.send(.floorRequested(isOpen: false))
        tester.expect("floor closing", "inset top 0 in 300", "offset 0 in 300")
        tester.passDeadline()
        tester.expect("floor closed")
        #expect(tester.engine.nextDeadline == nil)
    }

    @Test("If a pull returns from the floor's threshold, its release begins a refresh")
    func refreshes() {
        var tester = EngineTester(Self.options())
        tester.drag(to: -210)
        tester.skip()
        tester.scroll(.dragging, -100)
        tester.expect("selection", "floor pulling \(40.0 / 140)")
        tester.scroll(.ended, -100)
        tester.expect(
            "impact", "top refreshing by finger", "inset top 60 in 100",
            "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10")
        tester.scroll(.idle, -60)
        tester.expect("floor closed")
        tester.finish(1, .cancelled)
        tester.skip()
    }

    @Test(
        "A fast release opens the floor only if the pull is beyond the refresh threshold",
        arguments: [(-100.0, -1000.0, true), (-100, -999, false), (-40, -3000, false)])
    func velocity(offset: Double, velocity: Double, opens: Bool) {
        var tester = EngineTester(Self.options())
        tester.drag(to: offset)
        tester.skip()
        tester.send(
            .scrolled(ScrollSample(offset: offset, phase: .ended, velocity: velocity)))
        tester.skip()
        #expect((tester.engine.floor == .opening) == opens)
        tester.send(.cancelRequested(nil))
        tester.skip()
    }

    @Test("A gesture that the system cancels does not open the floor")
    func cancelled() {
        var tester = EngineTester(Self.options())
        tester.drag(to: -210)
        tester.skip()
        tester.scroll(.cancelled, -210)
        tester.expect("floor pulling 1", "top pulling 1")
        tester.scroll(.idle, 0)
        tester.expect("floor closed", "top idle")
    }

    @Test(
        "A swipe that is far or fast enough closes the floor, and any other swipe leaves it open",
        arguments: [(-666.0, 0.0, true), (-667, 0, false), (-790, 1000, true)])
    func swipe(offset: Double, velocity: Double, closes: Bool) {
        var tester = Self.open()
        tester.scroll(.began, -800)
        tester.scroll(.dragging, offset)
        tester.expectNothing()
        tester.send(
            .scrolled(ScrollSample(offset: offset, phase: .ended, velocity: velocity)))
        if closes {
            tester.expect("floor closing", "inset top 0 in 300", "offset 0 in 300")
        } else {
            tester.expect("offset -800 in 300")
        }
    }

    @Test("While the floor is open, no movement counts as a pull or as an approach to the end")
    func owned() {
        var tester = Self.open()
        tester.scroll(.began, -800)
        tester.scroll(.dragging, -900)
        tester.scroll(.dragging, 1200)
        tester.scroll(.dragging, -800)
        tester.scroll(.ended, -800)
        tester.scroll(.idle, -800)
        tester.expectNothing()
        tester.expect(top: .idle)
    }

    @Test("The floor closes after its timeout, and at once if its duration is 0")
    func timeout() {
        var tester = Self.open { $0.timeout = 2000 }
        let opened = tester.now
        tester.passDeadline()
        tester.expect("floor closing", "inset top 0 in 300", "offset 0 in 300")
        #expect(tester.now == opened.advanced(byMilliseconds: 2000.0))
        var quick = EngineTester(
            Self.options {
                $0.timeout = 2000
                $0.duration = 0
            })
        quick.send(.floorRequested(isOpen: true))
        quick.expect("impact", "floor opening", "inset top 800", "offset -800")
        quick.send(.timePassed, after: 0)
        quick.expect("floor open")
        quick.passDeadline()
        quick.expect("floor closing", "inset top 0", "offset 0", "floor closed")
    }

    @Test("An opening floor can be closed, and a closing one opened. Repeated requests do nothing")
    func turned() {
        var tester = EngineTester(Self.options())
        tester.send(.floorRequested(isOpen: true))
        tester.skip()
        tester.send(.floorRequested(isOpen: true))
        tester.expectNothing()
        tester.send(.floorRequested(isOpen: false))
        tester.expect("floor closing", "inset top 0 in 300", "offset 0 in 300")
        tester.send(.floorRequested(isOpen: false))
        tester.expectNothing()
        tester.send(.floorRequested(isOpen: true))
        tester.expect("impact", "floor opening", "inset top 800 in 300", "offset -800 in 300")
    }

    @Test("In a view without a floor, a request to open it is refused", arguments: [true, false])
    func missing(isEdgeThere: Bool) {
        var tester = EngineTester(
            isEdgeThere ? .iq() : .iq { $0.refresh = nil })
        tester.send(.floorRequested(isOpen: true))
        tester.expect("refuse missingEdge")
    }

    @Test("If the floor is opened under a finger, the list moves only at the release")
    func underAFinger() {
        var tester = EngineTester(Self.options())
        tester.drag(to: -30)
        tester.skip()
        tester.send(.floorRequested(isOpen: true))
        tester.expect("top idle", "impact", "floor opening")
        tester.scroll(.dragging, -40)
        tester.scroll(.ended, -40)
        tester.expect("offset -800 in 300", "inset top 800 in 100")
        tester.passDeadline()
        tester.expect("floor open")
    }

    @Test(
        "If a refresh ends while the floor is open, its room closes and the list does not move"
    )
    func refreshInFlight() {
        var tester = EngineTester(Self.options())
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.send(.floorRequested(isOpen: true))
        tester.expect("impact", "floor opening", "inset top 800 in 300", "offset -800 in 300")
        tester.passDeadline()
        tester.expect("floor open")
        tester.finish(1, .success, count: 10)
        tester.expect("top idle after success", "end 1.1 refresh success", "list 10 and more")
        tester.send(.floorRequested(isOpen: false))
        tester.expect("floor closing", "inset top 0 in 300", "offset 0 in 300")
    }

    @Test("When the floor closes, a running refresh is shown in the room of its edge")
    func refreshStillRuns() {
        var tester = EngineTester(Self.options())
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.send(.floorRequested(isOpen: true))
        tester.skip()
        tester.send(.floorRequested(isOpen: false))
        tester.expect("floor closing", "inset top 60 in 300", "offset -60 in 300")
        tester.passDeadline()
        tester.expect("floor closed")
        tester.finish(1, .success, count: 10)
        tester.expect(
            "inset top 0 in 100", "offset 0 in 100", "top idle after success",
            "end 1.1 refresh success", "list 10 and more")
    }

    @Test(
        "If the refresh ends while the floor closes, the list moves on to its start")
    func refreshEndsMeanwhile() {
        var tester = EngineTester(Self.options())
        tester.send(.floorRequested(isOpen: true))
        tester.skip()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.scroll(.dragging, -700)
        tester.skip()
        tester.scroll(.ended, -600)
        tester.skip()
        #expect(tester.engine.floor == .closing && tester.engine.gesture.phase == .coasting)
        tester.finish(1, .cancelled)
        tester.skip()
        // No sample follows, because the client does not report movements that the daemon commands.
        tester.comeToRest()
        #expect(tester.engine.floor == .closed && tester.engine.offset == 0)
    }

    @Test("A refresh that is requested while the floor is open runs without a room")
    func refreshAsked() {
        var tester = Self.open()
        tester.send(.refreshRequested(cause: .code, animated: true))
        tester.expect(
            "top refreshing by code", "load 1.1 refresh manual by code, page 1 offset 0 size 10")
        tester.finish(1, .success, count: 10)
        tester.expect("top idle after success", "end 1.1 refresh success", "list 10 and more")
    }

    @Test(
        "Disabling the edge or removing the floor closes an open floor at once",
        arguments: [true, false])
    func disabled(isEdge: Bool) {
        var tester = Self.open()
        if isEdge {
            tester.send(.edgeEnabled(.refresh, false))
        } else {
            var refresh = tester.engine.options.refresh
            refresh?.floor = nil
            tester.send(
                .edgesConfigured(refresh: refresh, loadMore: tester.engine.options.loadMore))
        }
        tester.expect(
            ["inset top 0", "floor closed", "offset 0"] + (isEdge ? ["top disabled"] : []))
        #expect(tester.engine.nextDeadline == nil)
    }

    @Test("The floor fills the current viewport, also after a rotation")
    func rotation() {
        var tester = Self.open()
        tester.change(viewport: 390)
        tester.expect("inset top 390", "offset -390")
        tester.send(.floorRequested(isOpen: false))
        tester.expect("floor closing", "inset top 0 in 300", "offset 0 in 300")
    }

    @Test("Pans open and close the floor")
    func panned() {
        var tester = EngineTester(Self.options())
        tester.pan(.began, 0)
        tester.pan(.dragging, 600)
        tester.skip()
        #expect(tester.engine.floor == .eligible)
        tester.pan(.ended, 600)
        tester.skip()
        #expect(tester.engine.floor == .opening)
        #expect(tester.engine.offset == -800)
        tester.passDeadline()
        tester.skip()
        tester.pan(.began, 0)
        tester.pan(.dragging, -300)
        tester.skip()
        tester.pan(.ended, -300)
        tester.skip()
        #expect(tester.engine.floor == .closing)
        #expect(tester.engine.offset == 0)
    }
}
