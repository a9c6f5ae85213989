import RefreshProtocol
import Testing

@testable import RefreshEngine

/// The list rests at -47 under a safe area, and its threshold is 60 points beyond this offset.
@Suite("Sizes that change under a finger")
struct RotationTests {
    private static func tester(
        _ change: (inout ViewOptions) -> Void = { _ in }
    ) -> EngineTester {
        EngineTester(.iq(change), .sizes(safeTop: 47))
    }

    @Test("If the safe area disappears, the pull keeps its distance and nothing is armed")
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

    @Test("If a safe area appears, an armed pull stays armed and fires at the release")
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

    @Test("If the platform moves the list when the insets change, the pull keeps its distance")
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

    @Test("After the list was at both resting offsets, a pull counts from the new resting offset")
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

    @Test("If the safe area at the start of a list disappears, the list is not pulled")
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

    @Test("A safe area that disappears and returns has no effect on the pull")
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

    @Test("With attention `movement`, the new resting offset applies from the next movement on")
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
        "If a safe area disappears under a still finger, nothing fires",
        arguments: Profile.allCases)
    func resting(profile: Profile) throws {
        let options = ViewOptions.of(profile)
        let refresh = try #require(options.refresh)
        // Without the safe area, this place would be beyond the threshold.
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

    @Test("If insets change under a finger on a list that a refresh moved, nothing is pulled")
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

    @Test("A safe area that disappears does not bring the second floor nearer")
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

    @Test("Items inserted before the anchored item end a pull, because they fill the pulled gap")
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

    /// Changes the safe area. The platform moves the list to `offset` at the same time.
    private static func turn(_ tester: inout EngineTester, safeTop: Double, offset: Double) {
        var change = GeometryChange()
        change.safeArea = EdgeInsets(top: safeTop)
        change.offset = offset
        tester.send(.geometryChanged(change))
    }
}
