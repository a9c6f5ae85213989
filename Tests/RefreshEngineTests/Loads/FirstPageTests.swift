import RefreshEngine
import RefreshProtocol
import Testing

/// If a list has no page, its next page is the first one. This is also true for a view with a feed,
/// whose first page is usually loaded by a refresh. The end of the list is at the offset 1200.
/// Source: docs/protocol.md, "loadMore, retry, cancel, reset".
@Suite("The first page of a feed")
struct FirstPageTests {
    /// The condition of the refresh edge. `forCode`: only the app's code may refresh.
    enum EdgeCondition: CaseIterable, Sendable {
        case absent, disabled, forCode, failed, untouched

        var loads: UInt32 { self == .failed ? 1 : 0 }
    }

    private static func tester(
        _ condition: EdgeCondition, _ change: (inout ViewOptions) -> Void = { _ in }
    ) -> EngineTester {
        var tester = EngineTester(
            .iq { options in
                switch condition {
                case .absent: options.refresh = nil
                case .disabled: options.refresh?.isEnabled = false
                case .forCode: options.refresh?.intents = [.code]
                case .failed, .untouched: break
                }
                change(&options)
            })
        if condition == .failed { failToRefresh(&tester) }
        return tester
    }

    private static func failToRefresh(_ tester: inout EngineTester) {
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.finish(1, .failed)
        tester.skip()
    }

    @Test("If the first movement is a scroll to the end by keyboard, the first page is loaded")
    func byKey() {
        var tester = Self.tester(.absent)
        tester.scroll(.decelerating, 1200, cause: .key)
        tester.expect(
            "impact", "bottom loading by key", "inset bottom 60 in 100",
            "load 1.1 more reachAtEnd by key, page 1 offset 0 size 10")
        tester.finish(1, .cancelled)
        tester.skip()
    }

    @Test(
        "loadMore loads the first and then the second page in any condition of the refresh edge",
        arguments: EdgeCondition.allCases)
    func byRequest(condition: EdgeCondition) {
        var tester = Self.tester(condition)
        let load = condition.loads + 1
        tester.send(.loadMoreRequested(cause: .code))
        tester.expect(
            "bottom loading by code", "inset bottom 60 in 100",
            "load 1.\(load) more manual by code, page 1 offset 0 size 10")
        tester.finish(load, .success, count: 10)
        tester.expect(
            "inset bottom 0 in 100", "bottom idle after success", "end 1.\(load) more success",
            "list 10 and more")
        tester.send(.loadMoreRequested(cause: .code))
        tester.expect(
            "bottom loading by code", "inset bottom 60 in 100",
            "load 1.\(load + 1) more manual by code, page 2 offset 10 size 10")
        tester.finish(load + 1, .cancelled)
        tester.skip()
    }

    @Test(
        "If the user cannot pull, or a refresh failed, a finger or wheel at the end loads page 1",
        arguments: EdgeCondition.allCases.filter { $0 != .untouched })
    func byGesture(condition: EdgeCondition) {
        let load = condition.loads + 1
        var tester = Self.tester(condition)
        tester.drag(to: 1200)
        tester.expect(
            "impact", "bottom loading by finger",
            "load 1.\(load) more reachAtEnd by finger, page 1 offset 0 size 10")
        tester.finish(load, .cancelled)
        tester.skip()
        var other = Self.tester(condition)
        other.scroll(.decelerating, 1100, cause: .wheel)
        other.scroll(.decelerating, 1200, cause: .wheel)
        other.expect(
            "impact", "bottom loading by wheel", "inset bottom 60 in 100",
            "load 1.\(load) more reachAtEnd by wheel, page 1 offset 0 size 10")
        other.finish(load, .cancelled)
        other.skip()
    }

    @Test(
        "If the user may pull, a drag to the end loads no page before or during the first refresh"
    )
    func leftToThePull() {
        var tester = Self.tester(.untouched) { $0.loadMore?.whileRefreshing = .queue }
        tester.drag(to: 1200)
        tester.expect("bottom approaching 1")
        tester.scroll(.ended, 1200)
        tester.scroll(.idle, 1200)
        tester.expect("bottom idle")
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.drag(to: 1230)
        tester.expect(top: .refreshing(LoadID(1)), bottom: .approaching(progress: 1))
        tester.finish(1, .cancelled)
        tester.skip()
        tester.scroll(.dragging, 1000)
        tester.skip()
        tester.scroll(.dragging, 1200)
        #expect(
            tester.take().last
                == "load 1.2 more reachAtEnd by finger, page 1 offset 0 size 10")
        tester.finish(2, .cancelled)
        tester.skip()
    }

    // With this `attention`, the end never loads a first page that a pull can load. With
    // `everything`, the end loads this page after a failed refresh. Source: docs/protocol.md,
    // "loadMore, retry, cancel, reset".
    @Test(
        "If `attention` is `movement` and the user may pull, a drag to the end loads no page",
        arguments: EdgeCondition.allCases)
    func attention(condition: EdgeCondition) {
        var tester = Self.tester(condition) { $0.attention = .movement }
        tester.drag(to: 1200)
        if condition == .failed || condition == .untouched {
            tester.expectNothing()
            tester.expect(top: .idle)
        } else {
            tester.expect(
                "impact", "bottom loading by finger",
                "load 1.1 more reachAtEnd by finger, page 1 offset 0 size 10")
            tester.finish(1, .cancelled)
            tester.skip()
        }
    }

    @Test("retry repeats a failed load of the first page at the load-more edge")
    func retriedMore() {
        var tester = Self.tester(.absent)
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.finish(1, .failed)
        tester.expect("inset bottom 0 in 100", "bottom failed after failed", "end 1.1 more failed")
        tester.send(.retryRequested(nil))
        tester.expect(
            "bottom loading by retry", "inset bottom 60 in 100",
            "load 1.2 more manual by retry, page 1 offset 0 size 10 attempt 2")
        tester.finish(2, .cancelled)
        tester.skip()
    }

    @Test(
        "retry loads page 1 at the load-more edge if the refresh edge cannot repeat a refresh",
        arguments: [true, false])
    func retriedRefresh(isDisabled: Bool) {
        var tester = Self.tester(isDisabled ? .untouched : .forCode)
        Self.failToRefresh(&tester)
        if isDisabled {
            tester.send(.edgeEnabled(.refresh, false))
            tester.expect("top disabled")
        }
        tester.send(.retryRequested(nil))
        tester.expect(
            "bottom loading by retry", "inset bottom 60 in 100",
            "load 1.2 more manual by retry, page 1 offset 0 size 10")
        tester.finish(2, .success, count: 10)
        tester.skip()
        tester.send(.retryRequested(nil))
        if isDisabled { tester.expect("refuse nothingToRetry") }
    }

    @Test(
        "retry repeats a failed refresh, and is refused if nothing has failed")
    func retriedAsEver() {
        var tester = Self.tester(.failed)
        tester.send(.retryRequested(nil))
        tester.expect(
            "top refreshing by retry", "inset top 60 in 100", "offset -60 in 100",
            "load 1.2 refresh manual by retry, page 1 offset 0 size 10 attempt 2")
        tester.finish(2, .success, count: 10)
        tester.skip()
        for condition in [EdgeCondition.absent, .disabled, .forCode, .untouched] {
            var other = Self.tester(condition)
            other.send(.retryRequested(nil))
            other.expect("refuse nothingToRetry")
        }
    }

    @Test("If loadMore, a finger or a wheel follows a reset, it loads the first page again")
    func afterReset() {
        for cause in [Cause.code, .finger, .wheel] {
            var tester = EngineTester()
            tester.loadFirstPage()
            tester.send(.resetRequested(nil))
            tester.expect("list 0 and more")
            switch cause {
            case .finger: tester.drag(to: 1200)
            case .wheel:
                tester.scroll(.decelerating, 1100, cause: .wheel)
                tester.scroll(.decelerating, 1200, cause: .wheel)
            default: tester.send(.loadMoreRequested(cause: cause))
            }
            let orders = tester.take().filter { $0.hasPrefix("load ") }
            #expect(orders.count == 1)
            #expect(orders.first?.contains("by \(cause), page 1 offset 0 size 10") == true)
            tester.finish(2, .success, count: 10)
            #expect(tester.take().contains("list 10 and more"))
        }
    }
}
