import Foundation
import RefreshEngine
import RefreshProtocol
import Testing

/// Tests that a page is requested only once before the client lays out new content. The list ends
/// at 1200. Source: docs/protocol.md, "Content".
@Suite("Laid-out content")
struct ContentTests {
    /// Returns a list that a wheel has moved to its end. The requested page was accepted.
    private static func accepted(
        _ change: (inout ViewOptions) -> Void = { _ in }
    ) -> EngineTester {
        var tester = EngineTester(.iq(change))
        tester.loadFirstPage()
        tester.scroll(.decelerating, 1100, cause: .wheel)
        tester.scroll(.decelerating, 1200, cause: .wheel)
        tester.skip()
        tester.finish(2, .success, count: 10)
        tester.skip()
        return tester
    }

    private static func requested(by cause: Cause) -> [String] {
        [
            "impact", "bottom loading by \(cause)", "inset bottom 60 in 100",
            "load 1.3 more reachAtEnd by \(cause), page 3 offset 20 size 10",
        ]
    }

    private static func cancelLoad(_ tester: inout EngineTester) {
        tester.finish(3, .cancelled)
        tester.skip()
    }

    @Test(
        "Until a page is laid out, no movement at the end requests another page")
    func once() {
        var tester = Self.accepted()
        tester.scroll(.decelerating, 1200, cause: .wheel)
        tester.expect("bottom approaching 1")
        tester.scroll(.decelerating, 1210, cause: .wheel)
        tester.scroll(.idle, 1200, cause: .wheel)
        tester.expect("bottom idle")
        tester.scroll(.decelerating, 1190, cause: .wheel)
        tester.expect("bottom approaching 0.8333333333333334")
        tester.scroll(.decelerating, 1200, cause: .wheel)
        tester.expect("bottom approaching 1")
        tester.scroll(.idle, 1200, cause: .wheel)
        tester.expect("bottom idle")
        tester.drag(to: 1230)
        tester.scroll(.ended, 1230)
        tester.scroll(.idle, 1200)
        tester.expect("bottom idle")
        tester.expect(top: .idle)
    }

    @Test("If the list leaves the zone before the layout, it requests no page when it returns")
    func leaving() {
        var tester = Self.accepted()
        tester.scroll(.decelerating, 900, cause: .wheel)
        tester.scroll(.decelerating, 1200, cause: .wheel)
        tester.expect("bottom approaching 1")
        tester.scroll(.idle, 1200, cause: .wheel)
        tester.expect("bottom idle")
        tester.expect(top: .idle)
    }

    @Test("After the content has grown, the same wheel gesture requests a page at the new end")
    func grown() {
        var tester = Self.accepted()
        tester.scroll(.decelerating, 1200, cause: .wheel)
        tester.expect("bottom approaching 1")
        tester.change(content: 3000)
        tester.expect("bottom idle")
        tester.scroll(.decelerating, 2200, cause: .wheel)
        tester.expect(Self.requested(by: .wheel))
        Self.cancelLoad(&tester)
    }

    @Test("Content counts as laid out only if its length has changed")
    func sameContent() {
        var tester = Self.accepted()
        tester.change(bottom: 20)
        tester.expect("bottom approaching 0.6666666666666666")
        tester.scroll(.decelerating, 1220, cause: .wheel)
        tester.expect("bottom approaching 1")
        tester.change(content: 2000)
        tester.scroll(.decelerating, 1221, cause: .wheel)
        tester.expect()
        tester.change(content: 2040)
        tester.expect("bottom approaching 0.35")
        tester.scroll(.decelerating, 1262, cause: .wheel)
        tester.expect(Self.requested(by: .wheel))
        Self.cancelLoad(&tester)
    }

    @Test(
        "If nothing is laid out, a gesture can request a page only after layoutWaitMs",
        arguments: [2000, 300, 0] as [UInt32])
    func bound(milliseconds: UInt32) {
        var tester = Self.accepted { $0.layoutWait = milliseconds }
        if milliseconds > 0 {
            tester.scroll(
                .decelerating, 1200, cause: .wheel, after: Double(milliseconds) - 1)
            tester.expect("bottom approaching 1")
        }
        tester.scroll(.decelerating, 1200, cause: .wheel, after: milliseconds > 0 ? 1 : 0)
        tester.expect(Self.requested(by: .wheel))
        Self.cancelLoad(&tester)
    }

    @Test("An edge waits for a layout as long as the limit layoutWaitMs states")
    func limit() {
        var limits = Limits()
        limits.layoutWaitMs = 77
        let options = ViewOptions(
            profile: .default, paging: Profile.paging, isClientBacked: true, limits: limits)
        #expect(options.layoutWait == 77)
    }

    @Test("After the wait or the layout, a list that rests and does not move requests no page")
    func idle() {
        var tester = Self.accepted()
        tester.scroll(.idle, 1200, cause: .wheel, after: 3000)
        tester.expectNothing()
        var other = Self.accepted()
        other.change(content: 2000)
        other.expect("bottom approaching 1")
        other.scroll(.idle, 1200, cause: .wheel)
        other.expect("bottom idle")
        other.expect(top: .idle)
    }

    @Test("A list that comes to rest at most half a point before its end requests a page")
    func fraction() {
        var tester = EngineTester()
        tester.loadFirstPage()
        tester.drag(to: 1100)
        tester.scroll(.ended, 1100)
        tester.scroll(.decelerating, 1199.75)
        tester.skip()
        tester.scroll(.idle, 1199.75)
        tester.expect(
            "impact", "bottom loading by finger", "inset bottom 60 in 100",
            "load 1.2 more reachAtEnd by finger, page 2 offset 10 size 10")
        tester.finish(2, .cancelled)
        tester.skip()
    }

    @Test("A new finger requests a page only at the new end, after the last page is laid out")
    func finger() {
        var tester = Self.accepted()
        tester.scroll(.idle, 1200, cause: .wheel)
        tester.drag(to: 1210)
        tester.change(content: 3000)
        tester.expect("bottom idle")
        tester.scroll(.dragging, 2200)
        tester.expect(
            "impact", "bottom loading by finger",
            "load 1.3 more reachAtEnd by finger, page 3 offset 20 size 10")
        Self.cancelLoad(&tester)
    }

    @Test(
        "After a page without new items, a page can be requested when the layout wait is over",
        arguments: [
            LoadEnding(.success, count: 10, more: true, kept: 0), LoadEnding(.empty, more: true),
        ])
    func nothingNew(ending: LoadEnding) {
        var tester = EngineTester()
        tester.loadFirstPage()
        tester.scroll(.decelerating, 1100, cause: .wheel)
        tester.scroll(.decelerating, 1200, cause: .wheel)
        tester.skip()
        tester.send(.loadEnded(LoadID(2), ending))
        tester.skip()
        tester.scroll(.decelerating, 1200, cause: .wheel, after: 1500)
        tester.expect("bottom approaching 1")
        tester.scroll(.decelerating, 1200, cause: .wheel, after: 499)
        tester.expectNothing()
        tester.scroll(.decelerating, 1200, cause: .wheel, after: 1)
        tester.expect(
            "impact", "bottom loading by wheel", "inset bottom 60 in 100",
            "load 1.3 more reachAtEnd by wheel, page 3 offset \(10 + ending.count) size 10")
        Self.cancelLoad(&tester)
    }

    @Test(
        "After the wait, a list that reached its end during the wait requests a page, even at rest")
    func arrival() {
        var tester = Self.accepted()
        tester.scroll(.idle, 1200, cause: .wheel)
        tester.drag(to: 1150)
        tester.skip()
        tester.scroll(.ended, 1150)
        tester.scroll(.decelerating, 1205)
        tester.expect("bottom approaching 1")
        tester.scroll(.idle, 1200)
        tester.expect("bottom idle")
        #expect(tester.engine.gesture.phase == .resting)
        tester.passDeadline()
        tester.expect(
            "impact", "bottom loading by finger", "inset bottom 60 in 100",
            "load 1.3 more reachAtEnd by finger, page 3 offset 20 size 10")
        Self.cancelLoad(&tester)
    }

    @Test("A list requests no page after the wait if it leaves its end or is laid out before")
    func arrivalIsOver() {
        var tester = Self.accepted()
        tester.scroll(.decelerating, 1200, cause: .wheel)
        tester.expect("bottom approaching 1")
        tester.scroll(.decelerating, 300, cause: .wheel)
        tester.expect("bottom idle")
        tester.scroll(.idle, 300, cause: .wheel)
        #expect(tester.engine.nextDeadline == nil)
        var other = Self.accepted()
        other.scroll(.decelerating, 1200, cause: .wheel)
        other.expect("bottom approaching 1")
        other.scroll(.idle, 1200, cause: .wheel)
        other.expect("bottom idle")
        other.change(content: 3000)
        other.expectNothing()
        #expect(other.engine.nextDeadline == nil)
    }

    /// Returns a list that reached its end during the wait and rests there.
    private static func arrived() -> EngineTester {
        var tester = accepted()
        tester.scroll(.decelerating, 1200, cause: .wheel)
        tester.expect("bottom approaching 1")
        tester.scroll(.idle, 1200, cause: .wheel)
        tester.expect("bottom idle")
        return tester
    }

    @Test("`cancel` drops a deferred request, and options that exclude its intent drop it too")
    func voidRequest() {
        var tester = Self.arrived()
        tester.send(.cancelRequested(nil))
        tester.expectNothing()
        #expect(tester.engine.nextDeadline == nil)
        var other = Self.arrived()
        var options = other.engine.options.loadMore
        options?.intents = .code
        other.send(
            .edgesConfigured(
                refresh: other.engine.options.refresh, loadMore: options, paging: nil, pan: nil))
        other.skip()
        other.passDeadline()
        other.expectNothing()
        var third = Self.arrived()
        third.scroll(.idle, 300, cause: .code)
        third.scroll(.idle, 1200, cause: .code)
        third.skip()
        #expect(third.engine.nextDeadline == nil)
    }

    @Test("A running load keeps its deadline if the content becomes short during the wait")
    func deadline() {
        var tester = EngineTester(.iq())
        tester.loadFirstPage()
        tester.change(content: 1000)
        tester.skip()
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.finish(2, .success, count: 10)
        tester.skip()
        tester.change(content: 1000)
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        let deadline = tester.engine.nextDeadline
        tester.change(content: 1000, viewport: 1100)
        tester.skip()
        #expect(tester.engine.nextDeadline == deadline)
        #expect(tester.engine.loadMore.load == LoadID(3))
        Self.cancelLoad(&tester)
    }

    @Test(
        "If the client lays out its page before it reports the end of the load, there is no wait"
    )
    func early() {
        var tester = EngineTester(.iq { $0.isClientBacked = true })
        tester.loadFirstPage()
        tester.scroll(.decelerating, 1100, cause: .wheel)
        tester.scroll(.decelerating, 1200, cause: .wheel)
        tester.skip()
        tester.change(content: 3000)
        tester.finish(2, .success, count: 10)
        tester.skip()
        tester.scroll(.decelerating, 2200, cause: .wheel)
        tester.expect(Self.requested(by: .wheel))
        Self.cancelLoad(&tester)
    }

    @Test("With rearm `gesture`, a continuing wheel requests no second page before the layout")
    func wheel() {
        var tester = Self.accepted { $0.loadMore?.rearm = .gesture }
        tester.scroll(.decelerating, 1200, cause: .wheel)
        tester.expect("bottom approaching 1")
        tester.scroll(.decelerating, 1201, cause: .wheel)
        tester.expectNothing()
        tester.change(content: 3000)
        tester.expect("bottom idle")
        tester.scroll(.decelerating, 2200, cause: .wheel)
        tester.expect(Self.requested(by: .wheel))
        Self.cancelLoad(&tester)
    }

    @Test("A geometry whose content has the old size is not a layout, and requests no page")
    func fill() {
        var tester = EngineTester(.iq())
        tester.loadFirstPage()
        tester.change(content: 300)
        tester.skip()
        tester.finish(2, .success, count: 10)
        tester.skip()
        tester.change(content: 300)
        tester.expectNothing()
        tester.change(content: 500)
        tester.expect(
            "bottom loading by fill", "inset bottom 60 in 100",
            "load 1.3 more reachAtEnd by fill, page 3 offset 20 size 10")
        Self.cancelLoad(&tester)
    }

    @Test("An explicit request and an edge with rearm `gesture` do not wait for the layout")
    func others() {
        var tester = Self.accepted()
        tester.send(.loadMoreRequested(cause: .code))
        tester.expect(
            "bottom loading by code", "inset bottom 60 in 100",
            "load 1.3 more manual by code, page 3 offset 20 size 10")
        Self.cancelLoad(&tester)
        var other = Self.accepted { $0.loadMore?.rearm = .gesture }
        other.scroll(.idle, 1200, cause: .wheel)
        other.drag(to: 1210)
        other.expect(
            "impact", "bottom loading by finger",
            "load 1.3 more reachAtEnd by finger, page 3 offset 20 size 10")
        Self.cancelLoad(&other)
    }

    @Test("The wait is encoded and decoded. Without a wait, an engine has no member for it")
    func writtenDown() throws {
        let usual = Engine(generation: 1, options: .iq(), geometry: .sizes(), offset: nil)
        #expect(try Self.names(usual).isDisjoint(with: ["layoutEnd"]))
        #expect(try Self.names(usual.options).isDisjoint(with: ["storedLayoutWait"]))
        #expect(try Self.readBack(usual) == usual)
        var engine = Engine(
            generation: 1, options: .iq { $0.layoutWait = 9 }, geometry: .sizes(), offset: nil)
        var effects: [Effect] = []
        let facts: [Event] = [
            .loadMoreRequested(cause: .code),
            .loadEnded(LoadID(1), LoadEnding(.success, count: 10)),
        ]
        for fact in facts { engine.handle(fact, at: Instant(milliseconds: 5), into: &effects) }
        #expect(try Self.names(engine).contains("layoutEnd"))
        #expect(try Self.names(engine.options).contains("storedLayoutWait"))
        #expect(try Self.readBack(engine) == engine)
    }

    private static func names(_ value: some Encodable) throws -> Set<String> {
        let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value))
        return Set((json as? [String: Any] ?? [:]).keys)
    }

    private static func readBack(_ engine: Engine) throws -> Engine {
        try JSONDecoder().decode(Engine.self, from: JSONEncoder().encode(engine))
    }
}
