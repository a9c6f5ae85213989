import RefreshEngine
import RefreshProtocol
import Testing

/// The requests `refresh`, `begin`, `end`, `cancel` and `retry`, and the movements of the list that
/// they cause.
@Suite("Refreshing by request")
struct ProgrammaticTests {
    private static let load = "load 1.1 refresh manual by code, page 1 offset 0 size 10"

    @Test("A requested refresh reveals the indicator of a list at rest at its top, and hides it")
    func reveal() {
        var tester = EngineTester(.iq(), .sizes(top: 88))
        tester.send(.refreshRequested(cause: .code, animated: true))
        tester.expect(
            "top refreshing by code", "inset top 60 in 100", "offset -148 in 100", Self.load)
        tester.send(.refreshRequested(cause: .code, animated: true))
        tester.finish(1, .success, count: 10)
        tester.expect(
            "inset top 0 in 100", "offset -88 in 100", "top idle after success",
            "end 1.1 refresh success", "list 10 and more")
        #expect(tester.engine.offset == -88)
    }

    @Test("A refresh does not move a list that the user has scrolled elsewhere")
    func elsewhere() {
        var tester = EngineTester()
        tester.scroll(.decelerating, 500)
        tester.scroll(.idle, 500)
        tester.send(.refreshRequested(cause: .code, animated: true))
        tester.expect("top refreshing by code", "inset top 60 in 100", Self.load)
        tester.finish(1, .success, count: 10)
        tester.expect(
            "inset top 0 in 100", "top idle after success", "end 1.1 refresh success",
            "list 10 and more")
        tester.send(.indicatorShowRequested(animated: true))
        tester.expect("top refreshing by visual", "inset top 60 in 100")
        tester.send(.indicatorHideRequested(animated: true))
        tester.expect("inset top 0 in 100", "top idle")
    }

    @Test("If the user scrolls away from a revealed indicator, the list is not moved back")
    func scrolledOn() {
        var tester = EngineTester(.uikit())
        tester.send(.indicatorShowRequested(animated: false))
        tester.expect("top refreshing by visual", "offset -60")
        tester.drag(to: 300)
        tester.scroll(.ended, 300)
        tester.scroll(.idle, 300)
        tester.send(.indicatorHideRequested(animated: true))
        tester.expect("top idle")
        #expect(tester.engine.offset == 300)
    }

    @Test("`begin` shows the indicator without a load, and `begin` and `end` are idempotent")
    func beginEnd() {
        var tester = EngineTester(.uikit(), .sizes(safeTop: 88))
        tester.send(.indicatorShowRequested(animated: true))
        tester.expect("top refreshing by visual", "offset -148 in 300")
        tester.send(.indicatorShowRequested(animated: true))
        tester.expect(top: .refreshing(nil))
        tester.send(.indicatorHideRequested(animated: true))
        tester.expect("offset -88 in 300", "top idle")
        tester.send(.indicatorHideRequested(animated: true))
        tester.expect(top: .idle)
    }

    @Test("`end` hides an indicator that is still moving to its place")
    func endUnderWay() {
        var tester = EngineTester(.uikit())
        tester.send(.indicatorShowRequested(animated: true))
        tester.expect("top refreshing by visual", "offset -60 in 300")
        tester.scroll(.decelerating, -25, cause: .code)
        tester.send(.indicatorHideRequested(animated: true))
        tester.expect("offset 0 in 300", "top idle")
    }

    @Test("A refresh uses the indicator that `begin` has shown")
    func join() {
        var tester = EngineTester(.uikit())
        tester.send(.indicatorShowRequested(animated: false))
        tester.expect("top refreshing by visual", "offset -60")
        tester.send(.refreshRequested(cause: .code, animated: true))
        tester.expect("top refreshing by code", Self.load)
        tester.finish(1, .success, count: 10)
        tester.expect(
            "offset 0 in 300", "top idle after success", "end 1.1 refresh success",
            "list 10 and more")
    }

    @Test("`end` while a load runs cancels the load")
    func endCancels() {
        var tester = EngineTester()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.expect("top refreshing by code", "inset top 60", "offset -60", Self.load)
        tester.send(.indicatorHideRequested(animated: false))
        tester.expect(
            "inset top 0", "offset 0", "top idle after cancelled", "end 1.1 refresh cancelled")
        tester.finish(1, .success, count: 10)
        tester.expect("late 1.1")
    }

    @Test("A rotation while the indicator is shown causes an offset command for the new bars")
    func rotation() {
        var tester = EngineTester(.uikit(), .sizes(safeTop: 88))
        tester.send(.indicatorShowRequested(animated: false))
        tester.expect("top refreshing by visual", "offset -148")
        tester.change(safeTop: 32)
        tester.expect("offset -92")
        tester.send(.indicatorHideRequested(animated: false))
        tester.expect("offset -32", "top idle")
    }

    @Test("Rotation does not move a list that is scrolled elsewhere or has a finger on it")
    func rotationElsewhere() {
        var tester = EngineTester(.uikit(), .sizes(safeTop: 88))
        tester.send(.indicatorShowRequested(animated: false))
        tester.skip()
        tester.scroll(.began, -148)
        tester.change(safeTop: 32)
        tester.scroll(.dragging, 400)
        tester.scroll(.ended, 400)
        tester.scroll(.idle, 400)
        tester.change(safeTop: 88)
        tester.send(.indicatorHideRequested(animated: false))
        tester.expect("top idle")
    }

    @Test(
        "The resting offset includes the insets, the search bar, and the safe area or the bars"
    )
    func bars() {
        var tester = EngineTester(.uikit(), .sizes(top: 10, safeTop: 20))
        tester.change(bars: Bars(navigationBottom: 64, status: 20, activeSearch: 52))
        #expect(tester.engine.geometry.restingOffset == -126)
        tester.send(.indicatorShowRequested(animated: false))
        tester.expect("top refreshing by visual", "offset -186")
        tester.change(bars: Bars(navigationBottom: 64, status: 20))
        tester.expect("offset -134")
        tester.send(.indicatorHideRequested(animated: false))
        tester.expect("offset -74", "top idle")
    }

    @Test(
        "In a client-backed view a refresh is shown, animated as requested, when its load begins",
        arguments: [
            true, false,
        ])
    func triggered(animated: Bool) {
        var tester = EngineTester(.iq { $0.isClientBacked = true })
        tester.send(.refreshRequested(cause: .code, animated: animated))
        tester.expect("top triggered by code", Self.load)
        tester.send(.refreshRequested(cause: .code, animated: animated))
        tester.send(.loadBegan(LoadID(1), accepted: true))
        if animated {
            tester.expect("top refreshing by code", "inset top 60 in 100", "offset -60 in 100")
        } else {
            tester.expect("top refreshing by code", "inset top 60", "offset -60")
        }
        tester.send(.loadBegan(LoadID(1), accepted: true))
        tester.finish(1, .success, count: 10)
        tester.expect(
            "inset top 0 in 100", "offset 0 in 100", "top idle after success",
            "end 1.1 refresh success", "list 10 and more")
    }

    @Test("A refused load ends a refresh that is shown or not yet shown", arguments: [true, false])
    func refused(isShown: Bool) {
        var tester = EngineTester(.iq { $0.isClientBacked = true })
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.expect("top triggered by code", Self.load)
        if isShown {
            tester.send(.indicatorShowRequested(animated: false))
            tester.expect("top refreshing by code", "inset top 60", "offset -60")
        }
        tester.send(.loadBegan(LoadID(1), accepted: false))
        if isShown {
            tester.expect(
                "inset top 0 in 100", "offset 0 in 100", "top idle after refused",
                "end 1.1 refresh refused")
        } else {
            tester.expect("top idle after refused", "end 1.1 refresh refused")
        }
        tester.send(.loadBegan(LoadID(1), accepted: true))
        tester.expect("late 1.1")
    }

    @Test("`loadFinished` ends a load even without `loadBegan`")
    func finishAlone() {
        var tester = EngineTester(.iq { $0.isClientBacked = true })
        tester.send(.refreshRequested(cause: .code, animated: true))
        tester.expect("top triggered by code", Self.load)
        tester.finish(1, .success, count: 10)
        tester.expect("top idle after success", "end 1.1 refresh success", "list 10 and more")
    }

    @Test("A retry repeats a failed refresh, and is refused at another edge or without a failure")
    func retry() {
        var tester = EngineTester()
        tester.send(.retryRequested(nil))
        tester.expect("refuse nothingToRetry")
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.send(.retryRequested(.refresh))
        tester.expect("refuse nothingToRetry")
        tester.finish(1, .failed)
        tester.expect(
            "inset top 0 in 100", "offset 0 in 100", "top idle after failed",
            "end 1.1 refresh failed")
        tester.send(.retryRequested(.loadMore))
        tester.expect("refuse nothingToRetry")
        tester.send(.retryRequested(nil))
        tester.expect(
            "top refreshing by retry", "inset top 60 in 100", "offset -60 in 100",
            "load 1.2 refresh manual by retry, page 1 offset 0 size 10 attempt 2")
        tester.finish(2, .success, count: 10)
        tester.skip()
        tester.send(.retryRequested(nil))
        tester.expect("refuse nothingToRetry")
    }

    @Test("Removing an edge ends its display, cancels its load and removes its inset")
    func configuredAway() {
        var tester = EngineTester()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.send(.edgesConfigured(refresh: nil, loadMore: nil))
        tester.expect(
            "inset top 0 in 100", "offset 0 in 100", "top disabled after cancelled",
            "end 1.1 refresh cancelled", "bottom disabled")
        tester.finish(1, .success, count: 10)
        tester.expect("late 1.1")
    }
}
