import RefreshProtocol
import Testing

@testable import RefreshEngine

/// The list rests at -47 under a safe area, and is pulled over 60 points.
@Suite("Sizes that change under a finger")
struct RotationTests {
    private static func tester(
        _ change: (inout ViewOptions) -> Void = { _ in }
    ) -> EngineTester {
        EngineTester(.iq(change), .sizes(safeTop: 47))
    }

    @Test("A safe area that goes away arms nothing: the pull stays as much, and so it is released")
    func goesAway() {
        var tester = Self.tester()
        tester.drag(to: -77)
        tester.expect("top pulling 0.5")
        tester.change(viewport: 390, safeTop: 0)
        tester.scroll(.dragging, -77)
        tester.expectNothing()
        tester.scroll(.dragging, -106)
        tester.expect("top pulling \(59.0 / 60)")
        tester.scroll(.ended, -106)
        tester.scroll(.idle, 0)
        tester.expect("top idle")
        tester.drag(to: -60)
        tester.expect("top pulling 1", "top eligible 1", "selection")
        tester.scroll(.cancelled, -60)
        tester.expect("top pulling 1")
        tester.scroll(.idle, 0)
        tester.expect("top idle")
    }

    @Test("A pull that is armed stays so when a safe area comes, and fires at the release")
    func comes() {
        var tester = EngineTester()
        tester.drag(to: -60)
        tester.expect("top pulling 1", "top eligible 1", "selection")
        tester.change(viewport: 390, safeTop: 47)
        tester.expectNothing()
        tester.scroll(.ended, -60)
        tester.expect(
            "impact", "top refreshing by finger", "inset top 60 in 100",
            "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10")
        tester.finish(1, .cancelled)
        tester.skip()
    }

    @Test("A platform that moves the list with its insets leaves the pull as much as well")
    func moved() {
        var tester = Self.tester()
        tester.drag(to: -77)
        tester.expect("top pulling 0.5")
        Self.turn(&tester, safeTop: 0, offset: -30)
        tester.scroll(.dragging, -60)
        tester.expect("top pulling 1", "top eligible 1", "selection")
        tester.scroll(.cancelled, -60)
        tester.expect("top pulling 1")
        tester.scroll(.idle, 0)
        tester.expect("top idle")
    }

    @Test("The pull counts from the new rest when the list has been back at both")
    func back() {
        var tester = Self.tester()
        tester.drag(to: -77)
        tester.expect("top pulling 0.5")
        tester.change(safeTop: 0)
        tester.scroll(.dragging, -47)
        tester.expect("top idle")
        tester.scroll(.dragging, -1)
        tester.scroll(.dragging, -30)
        tester.scroll(.dragging, 0)
        tester.expectNothing()
        #expect(tester.engine.gesture.restShift == 0)
        tester.scroll(.dragging, -30)
        tester.expect("top pulling 0.5")
        tester.scroll(.idle, 0)
        tester.expect("top idle")
    }

    @Test("A list beneath whose start a safe area goes away is not pulled by that")
    func inside() {
        var tester = Self.tester()
        tester.drag(to: -20)
        tester.change(safeTop: 0)
        tester.scroll(.dragging, -47)
        tester.expectNothing()
        tester.scroll(.dragging, -77)
        tester.expect("top pulling 0.5")
        tester.scroll(.idle, 0)
        tester.expect("top idle")
    }

    @Test("There and back again is as if nothing had been")
    func twice() {
        var tester = Self.tester()
        tester.drag(to: -77)
        tester.expect("top pulling 0.5")
        tester.change(viewport: 390, safeTop: 0)
        tester.change(viewport: 800, safeTop: 47)
        #expect(tester.engine.gesture.restShift == 0)
        tester.scroll(.dragging, -107)
        tester.expect("top pulling 1", "top eligible 1", "selection")
        tester.scroll(.cancelled, -107)
        tester.skip()
        tester.scroll(.idle, -47)
        tester.skip()
    }

    @Test("Where movement alone is looked at the next one counts by the new sizes, as in originals")
    func movement() {
        var tester = Self.tester { $0.attention = .movement }
        tester.drag(to: -77)
        tester.expect("top pulling 0.5")
        tester.change(safeTop: 0)
        tester.scroll(.dragging, -78)
        tester.expect("top pulling 1", "top eligible 1", "selection")
        tester.scroll(.cancelled, -78)
        tester.expect("top pulling 1")
        tester.scroll(.idle, 0)
        tester.expect("top idle")
    }

    @Test(
        "A finger that stays where it is fires nothing by a safe area that goes away",
        arguments: Profile.allCases)
    func resting(profile: Profile) throws {
        let options = ViewOptions.of(profile)
        let refresh = try #require(options.refresh)
        // Without the safe area it would be pulled far enough.
        let place = -47 + refresh.preload - refresh.length + 20
        var tester = EngineTester(options, .sizes(safeTop: 47))
        tester.drag(to: place)
        tester.skip()
        let state = tester.engine.refresh.phase
        tester.change(safeTop: 0)
        tester.scroll(.dragging, place)
        tester.scroll(.dragging, place)
        tester.skip()
        #expect(tester.engine.refresh.phase == state)
        tester.scroll(.ended, place)
        #expect(!tester.take().contains { $0.hasPrefix("load") })
        tester.scroll(.idle, 0)
        tester.skip()
    }

    @Test("A finger that holds a list which a refresh has moved pulls nothing by its insets")
    func held() {
        var tester = EngineTester()
        tester.send(.indicatorShowRequested(animated: false))
        tester.skip()
        tester.scroll(.began, -60)
        tester.skip()
        tester.send(.indicatorHideRequested(animated: false))
        tester.skip()
        Self.turn(&tester, safeTop: 47, offset: -107)
        tester.expectNothing()
        tester.scroll(.dragging, -110)
        tester.expectNothing()
        tester.scroll(.dragging, -117)
        tester.expect("top pulling 1", "top eligible 1", "selection")
        tester.scroll(.cancelled, -117)
        tester.skip()
        tester.scroll(.idle, -47)
        tester.skip()
    }

    @Test("A second floor is no nearer by a safe area that goes away")
    func floor() {
        var tester = Self.tester { $0.refresh?.floor = FloorOptions(length: 100) }
        tester.drag(to: -117)
        tester.expect("top pulling 1", "top eligible 1", "selection", "floor pulling 0.25")
        tester.change(safeTop: 0)
        tester.expectNothing()
        tester.scroll(.ended, -117)
        let effects = tester.take()
        #expect(effects.contains("top refreshing by finger"))
        #expect(!effects.contains("floor opening"))
        tester.finish(1, .cancelled)
        tester.skip()
    }

    @Test("Items that come in before an item which is held end the pull that they fill")
    func anchored() {
        var tester = EngineTester()
        var change = GeometryChange()
        change.anchor = Anchor(name: 1, position: 100)
        tester.send(.geometryChanged(change))
        tester.drag(to: -30)
        tester.expect("top pulling 0.5")
        change.content = SizeChange(width: 390, height: 2300)
        change.anchor = Anchor(name: 1, position: 400)
        tester.send(.geometryChanged(change))
        tester.expect("offset 270", "top idle")
        tester.scroll(.idle, 270)
    }

    /// The safe area is another, and the platform has moved the list with it.
    private static func turn(_ tester: inout EngineTester, safeTop: Double, offset: Double) {
        var change = GeometryChange()
        change.safeArea = EdgeInsets(top: safeTop)
        change.offset = offset
        tester.send(.geometryChanged(change))
    }
}
