import RefreshEngine
import RefreshProtocol
import Testing

/// The message `reveal`. Source: docs/protocol.md, "reveal".
@Suite("Reveal")
struct RevealTests {
    /// A view of a client with the feature `unread`, whose first page is loaded. Its viewport has
    /// 800 points, and its content has 2,000 points. The list rests at `offset`.
    private static func tester(
        offset: Double = 500, most: Int = 20, _ change: (inout ViewOptions) -> Void = { _ in }
    ) -> EngineTester {
        var tester = EngineTester(
            .iq {
                $0.refresh?.holdsInset = false
                $0.loadMore?.holdsInset = false
                $0.pagesKeptMax = most
                change(&$0)
            })
        tester.setUnread()
        tester.loadFirstPage()
        var geometry = GeometryChange()
        geometry.offset = offset
        tester.send(.geometryChanged(geometry))
        tester.skip()
        return tester
    }

    private static let item = Anchor("m42", at: 0).name

    private static func more(_ load: Int, page: Int) -> [String] {
        [
            "bottom loading by code",
            "load 1.\(load) more manual by code, page \(page) offset \((page - 1) * 10) size 10",
        ]
    }

    private static func pageEnd(_ load: Int, count: Int, hasMore: Bool = true) -> [String] {
        [
            hasMore ? "bottom idle after success" : "bottom noMore after success",
            "end 1.\(load) more success", "list \(count)\(hasMore ? " and more" : "")",
        ]
    }

    // MARK: The newest end

    @Test(
        "Without newer data, a reveal moves a list to its resting offset", arguments: [true, false])
    func newest(isAnimated: Bool) {
        var tester = Self.tester()
        tester.send(.revealRequested(.newestEnd, animated: isAnimated))
        tester.expect(
            isAnimated ? "offset 0 in 100" : "offset 0", "revealed: reached", "back")
        #expect(tester.engine.offset == 0)
    }

    @Test(
        "After a reveal of the start, the anchor of a layout does not move the list",
        arguments: [nil, 561] as [Double?], [(40.0, true), (140, true), (1099, true), (999, false)])
    func newestOvertaken(place: Double?, moment: (delay: Double, isAnimated: Bool)) {
        var tester = Self.tester()
        tester.send(.geometryChanged(Self.anchor(at: 480)))
        tester.send(.revealRequested(.newestEnd, animated: moment.isAnimated))
        tester.skip()
        // An item of 61 points has been inserted at the start. The client has laid it out before
        // it received the command.
        var layout = Self.anchor(at: 541)
        layout.content = SizeChange(width: 390, height: 2061)
        layout.offset = place
        tester.send(.geometryChanged(layout), after: moment.delay)
        let command = moment.delay == 40 ? "offset 0 in 60" : "offset 0"
        tester.expect(place == nil ? [] : [command])
        #expect(tester.engine.offset == 0)
        // Another item.
        tester.send(.geometryChanged(Self.anchor(at: 600)), after: 0)
        tester.expect()
    }

    @Test("A second after a reveal of the start, an anchor keeps the item in its place")
    func newestArrived() {
        var tester = Self.tester()
        tester.send(.geometryChanged(Self.anchor(at: 480)))
        tester.send(.revealRequested(.newestEnd, animated: true))
        tester.skip()
        tester.send(.geometryChanged(Self.anchor(at: 541)), after: 1100)
        tester.expect("offset 61", "away")
        #expect(tester.engine.offset == 61)
    }

    @Test("An anchor keeps a revealed item in its place, also if it was the first one")
    func itemAtStart() {
        var tester = Self.tester()
        tester.send(.geometryChanged(Self.anchor(at: 0)))
        tester.send(.revealRequested(.item(name: Self.item, position: 0), animated: true))
        tester.skip()
        tester.send(.geometryChanged(Self.anchor(at: 900)))
        tester.expect("offset 900", "away")
    }

    private static func anchor(at position: Double) -> GeometryChange {
        var change = GeometryChange()
        change.anchor = Anchor("m42", at: position)
        return change
    }

    @Test("If there is newer data, the first page is requested silently before the list moves")
    func newerData() {
        var tester = Self.tester { $0.refresh?.depth = .keep }
        tester.send(.feedChanged(count: NewerCount(3)))
        tester.skip()
        tester.send(.revealRequested(.newestEnd, animated: true))
        tester.expect("load 1.2 refresh manual by code, page 1 offset 0 size 10")
        tester.expect(top: .idle)
        tester.finish(2, .success, count: 10)
        #expect(tester.take().contains("nothing newer"))
        tester.change(content: 2100)
        tester.expect("offset 0 in 100", "revealed: reached", "back")
    }

    @Test("If the first page fails, the list does not move")
    func newestFails() {
        var tester = Self.tester()
        tester.send(.feedChanged())
        tester.skip()
        tester.send(.revealRequested(.newestEnd, animated: true))
        tester.skip()
        tester.finish(2, .failed)
        tester.expect("end 1.2 refresh failed", "revealed: failed")
        #expect(tester.engine.offset == 500)
    }

    @Test("If the client does not lay out the first page, the list moves after `layoutWait`")
    func newestWithoutLayout() {
        var tester = Self.tester()
        tester.send(.feedChanged())
        tester.skip()
        tester.send(.revealRequested(.newestEnd, animated: false))
        tester.skip()
        tester.finish(2, .success, count: 10)
        tester.skip()
        tester.passDeadline()
        tester.expect("offset 0", "revealed: reached", "back")
    }

    @Test("A reveal of the newest end waits for a refresh that runs")
    func waitsForRefresh() {
        var tester = Self.tester()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.send(.feedChanged())
        tester.skip()
        tester.send(.revealRequested(.newestEnd, animated: false))
        tester.expectNothing()
        tester.finish(2, .success, count: 10)
        // The refresh began before the change, so the reveal requests the first page again.
        #expect(
            tester.take().last == "load 1.3 refresh manual by code, page 1 offset 0 size 10")
        tester.finish(3, .success, count: 10)
        tester.skip()
        tester.change(content: 2100)
        tester.expect("offset 0", "revealed: reached", "back")
    }

    @Test("A change during the reveal's own load does not cause another load")
    func busyFeed() {
        var tester = Self.tester()
        tester.send(.feedChanged(count: NewerCount(1)))
        tester.skip()
        tester.send(.revealRequested(.newestEnd, animated: false))
        tester.skip()
        tester.send(.feedChanged(count: NewerCount(2)))
        tester.expect("3 newer")
        tester.finish(2, .success, count: 10)
        #expect(tester.take().contains("2 newer"))
        tester.change(content: 2100)
        tester.expect("offset 0", "revealed: reached", "back")
    }

    @Test("If the refresh after a change is delayed, a reveal begins a refresh at once")
    func delayedChange() {
        var tester = Self.tester { $0.refresh?.changes = .silent }
        tester.delayChange(count: 1)
        tester.send(.revealRequested(.newestEnd, animated: false))
        tester.expect("load 1.2 refresh manual by code, page 1 offset 0 size 10")
        tester.finish(2, .success, count: 10)
        tester.skip()
        tester.change(content: 2100)
        tester.expect("offset 0", "revealed: reached", "back")
    }

    @Test("A reveal of the newest end waits for a silent refresh after a change")
    func silentChange() {
        var tester = Self.tester(offset: 0) { $0.refresh?.changes = .silent }
        tester.send(.feedChanged())
        tester.skip()
        tester.send(.revealRequested(.newestEnd, animated: false))
        tester.expectNothing()
        tester.finish(2, .success, count: 10)
        #expect(tester.take().suffix(2) == ["offset 0", "revealed: reached"])
    }

    // MARK: The other end

    @Test("Pages are loaded until the list has ended, and then the list moves to its end")
    func end() {
        var tester = Self.tester(offset: 0)
        tester.send(.revealRequested(.edge(.bottom), animated: true))
        tester.expect(Self.more(2, page: 2))
        tester.finish(2, .success, count: 10)
        tester.expect(Self.pageEnd(2, count: 20))
        tester.change(content: 3000)
        tester.expect(Self.more(3, page: 3))
        tester.finish(3, .success, count: 5, more: false)
        tester.expect(Self.pageEnd(3, count: 25, hasMore: false))
        tester.change(content: 3500)
        tester.expect("offset 2700 in 100", "revealed: reached", "away")
    }

    @Test("One reveal loads at most `pagesKeptMax` pages, and another reveal loads the next pages")
    func limit() {
        var tester = Self.tester(offset: 0, most: 1)
        tester.send(.revealRequested(.edge(.bottom), animated: false))
        tester.expect(Self.more(2, page: 2))
        tester.finish(2, .success, count: 10)
        tester.skip()
        tester.change(content: 3000)
        tester.expect("offset 2200", "revealed: limit", "away")
        tester.send(.revealRequested(.edge(.bottom), animated: false))
        tester.expect(Self.more(3, page: 3))
        tester.finish(3, .failed)
        tester.expect("bottom failed after failed", "end 1.3 more failed", "revealed: failed")
    }

    @Test("The layout of a page without new items is not awaited")
    func knownItems() {
        var tester = Self.tester(offset: 0)
        tester.send(.revealRequested(.edge(.bottom), animated: false))
        tester.skip()
        tester.send(
            .loadEnded(
                LoadID(2), LoadEnding(.success, count: 10, more: false, kept: 0)))
        #expect(tester.take().suffix(3) == ["offset 1200", "revealed: reached", "away"])
    }

    @Test("If the client reports unchanged content, it has not laid out the page yet")
    func oldContent() {
        var tester = Self.tester(offset: 0)
        tester.send(.revealRequested(.edge(.bottom), animated: false))
        tester.skip()
        tester.finish(2, .success, count: 5, more: false)
        tester.skip()
        tester.change(content: 2000)
        tester.expectNothing()
        tester.change(content: 2500)
        tester.expect("offset 1700", "revealed: reached", "away")
    }

    @Test("A change of the feed waits until the pages of a reveal are loaded")
    func changeDuringPages() {
        var tester = Self.tester(offset: 0) { $0.refresh?.changes = .silent }
        tester.send(.revealRequested(.edge(.bottom), animated: false))
        tester.skip()
        tester.send(.feedChanged())
        tester.expectNothing()
        tester.finish(2, .success, count: 5, more: false)
        #expect(!tester.take().contains { $0.contains("refresh") })
        tester.change(content: 2500)
        tester.expect(
            "offset 1700", "revealed: reached",
            "load 1.3 refresh manual by changed, page 1 offset 0 size 10", "away")
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    @Test("A reveal uses a load that runs already")
    func joined() {
        var tester = Self.tester(offset: 0)
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.send(.revealRequested(.edge(.bottom), animated: false))
        tester.expectNothing()
        tester.finish(2, .success, count: 5, more: false)
        tester.skip()
        tester.change(content: 2500)
        tester.expect("offset 1700", "revealed: reached", "away")
    }

    @Test("If the edge does not accept requests with the cause `code`, the reveal fails")
    func withoutIntent() {
        var tester = Self.tester(offset: 0) { $0.loadMore?.intents = Intents(.finger) }
        tester.send(.revealRequested(.edge(.bottom), animated: false))
        tester.expect("revealed: failed")
        #expect(tester.ignored == [.intentLeftOut])
    }

    @Test("An edge of the other axis is refused")
    func otherAxis() {
        var tester = Self.tester()
        tester.send(.revealRequested(.edge(.leading), animated: false))
        tester.expect("refuse missingEdge")
    }

    // MARK: An item

    @Test(
        "A list moves to the position of an item, within its range",
        arguments: [(900, 900), (1900, 1200), (-30, 0)] as [(Double, Double)])
    func position(_ position: Double, _ offset: Double) {
        var tester = Self.tester()
        tester.send(.revealRequested(.item(name: Self.item, position: position), animated: false))
        let effects = tester.take()
        #expect(effects.prefix(2) == ["offset \(Int(offset))", "revealed: reached"])
        #expect(tester.engine.offset == offset)
    }

    @Test("A revealed item begins after the inset at the physical beginning")
    func insets() {
        var tester = Self.tester()
        tester.change(top: 88)
        tester.skip()
        tester.send(.revealRequested(.item(name: Self.item, position: 900), animated: false))
        tester.expect("offset 812", "revealed: reached")
    }

    @Test("Pages are loaded until the client reports the item as anchor")
    func search() {
        var tester = Self.tester(offset: 0)
        tester.send(.revealRequested(.item(name: Self.item, position: nil), animated: false))
        tester.expect(Self.more(2, page: 2))
        tester.finish(2, .success, count: 10)
        tester.skip()
        tester.change(content: 3000)
        tester.expect(Self.more(3, page: 3))
        tester.finish(3, .success, count: 10)
        tester.skip()
        var geometry = GeometryChange.sizes(content: 4000)
        geometry.anchor = Anchor("m42", at: 3150)
        tester.send(.geometryChanged(geometry))
        tester.expect("offset 3150", "revealed: reached", "away")
    }

    @Test("If the list has ended without the item, the list does not move")
    func missing() {
        var tester = Self.tester(offset: 300)
        tester.send(.revealRequested(.item(name: Self.item, position: nil), animated: false))
        tester.skip()
        tester.finish(2, .success, count: 5, more: false)
        tester.skip()
        tester.change(content: 2500)
        tester.expect("revealed: missing")
        #expect(tester.engine.offset == 300)
    }

    // MARK: The end of a reveal

    @Test(
        "A reveal is cancelled by a finger, a reset, a cancelled load, a query and another reveal",
        arguments: [
            .scrolled(ScrollSample(offset: 500, phase: .began)), .resetRequested(nil),
            .cancelRequested(.loadMore),
            .queryChanged(debounceMs: 0, clears: false, looksUp: false),
            .revealRequested(.newestEnd, animated: false),
        ] as [Event])
    func cancelled(by event: Event) {
        var tester = Self.tester()
        tester.send(.revealRequested(.edge(.bottom), animated: false))
        tester.skip()
        tester.send(event)
        let effects = tester.take()
        #expect(effects.filter { $0 == "revealed: cancelled" }.count == 1)
        tester.send(.detached)
        tester.skip()
    }

    @Test("Under a finger, a reveal is cancelled at once")
    func finger() {
        var tester = Self.tester()
        tester.drag(to: 300)
        tester.skip()
        tester.send(.revealRequested(.newestEnd, animated: false))
        tester.expect("revealed: cancelled")
    }

    @Test("Without the feature `unread`, a reveal has no effect")
    func withoutFeature() {
        var tester = Self.tester()
        tester.setUnread(false)
        tester.send(.revealRequested(.newestEnd, animated: false))
        tester.expectNothing()
    }
}
