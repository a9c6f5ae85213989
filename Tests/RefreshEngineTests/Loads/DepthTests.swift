import Foundation
import RefreshEngine
import RefreshProtocol
import Testing

/// Refreshes that request the pages of the list again. Source: docs/protocol.md, "Refresh at
/// depth".
@Suite("Refresh at depth")
struct DepthTests {
    /// A view that has accepted `pages` pages, each 1000 points long. Its viewport of 800 points is
    /// at `offset`. The last load has the number `pages`.
    private static func tester(
        _ depth: RefreshDepth, pages: Int = 3, offset: Double = 0, style: PagingStyle = .page,
        most: Int = 20, _ change: (inout ViewOptions) -> Void = { _ in }
    ) -> EngineTester {
        var tester = EngineTester(
            .iq {
                $0.paging = PagingOptions(style: style, first: style == .page ? 1 : 0, size: 10)
                $0.refresh?.depth = depth
                $0.refresh?.holdsInset = false
                $0.loadMore?.holdsInset = false
                $0.pagesKeptMax = most
                change(&$0)
            })
        tester.loadFirstPage(cursor: style == .cursor ? "1" : nil)
        for page in 2..<(pages + 1) {
            tester.send(.loadMoreRequested(cause: .code))
            tester.skip()
            tester.finish(
                UInt32(page), .success, count: 10, cursor: style == .cursor ? "\(page)" : nil)
            tester.skip()
        }
        var geometry = GeometryChange.sizes(content: Double(pages) * 1000)
        geometry.offset = offset
        tester.send(.geometryChanged(geometry))
        tester.skip()
        return tester
    }

    private static func ending(
        _ result: LoadResult = .success, pages: Int, last: Int = 10, skipped: Int = 0
    ) -> LoadEnding {
        var ending = LoadEnding(result, count: (pages - 1) * 10 + last, cursor: "end")
        (ending.pages, ending.lastCount, ending.skipped) = (pages, last, skipped)
        return ending
    }

    private static func refresh(_ tester: inout EngineTester) -> String? {
        tester.send(.refreshRequested(cause: .code, animated: false))
        return tester.take().last
    }

    // MARK: The pages of a refresh

    @Test("With keep, one load requests all pages, and paging continues after the last one")
    func keep() {
        var tester = Self.tester(.keep, offset: 1500)
        #expect(
            Self.refresh(&tester)
                == "load 1.4 refresh manual by code, page 1 offset 0 size 10 pages 3")
        tester.send(.loadEnded(LoadID(4), Self.ending(pages: 3)))
        tester.expect("top idle after success", "end 1.4 refresh success", "list 30 and more")
        // A load of several pages takes one load number.
        tester.send(.loadMoreRequested(cause: .code))
        tester.expect(
            "bottom loading by code",
            "load 1.5 more manual by code, page 4 offset 30 size 10 cursor end")
        tester.finish(5, .success, count: 10)
        tester.expect("bottom idle after success", "end 1.5 more success", "list 40 and more")
    }

    @Test("A verification keeps the pages in sight, and a refresh by the user only the first page")
    func verification() {
        var tester = Self.tester(.first, offset: 1500)
        tester.keepPlace()
        #expect(
            Self.refresh(&tester) == "load 1.4 refresh manual by code, page 1 offset 0 size 10")
        tester.finish(4, .success, count: 10)
        tester.skip()
        var verified = Self.tester(.first, offset: 1500) { $0.refresh?.changes = .cue }
        verified.keepPlace()
        verified.send(.orderUncertain)
        verified.expect("load 1.4 refresh manual by poll, page 1 offset 0 size 10 pages 4")
        verified.send(.loadEnded(LoadID(4), Self.ending(pages: 3)))
        verified.skip()
    }

    @Test("If the refreshed list is shorter, it has fewer pages, and there is no further page")
    func shorter() {
        var tester = Self.tester(.keep, offset: 1500)
        _ = Self.refresh(&tester)
        tester.send(.loadEnded(LoadID(4), Self.ending(pages: 2, last: 3)))
        tester.expect(
            "top idle after success", "end 1.4 refresh success", "list 13", "bottom noMore")
        #expect(
            Self.refresh(&tester)
                == "load 1.5 refresh manual by code, page 1 offset 0 size 10 pages 2")
        tester.finish(5, .cancelled)
        tester.skip()
    }

    @Test("If the load fails, the list and its paging stay as they were")
    func failed() {
        var tester = Self.tester(.keep, offset: 1500)
        _ = Self.refresh(&tester)
        tester.finish(4, .failed)
        #expect(tester.take().contains("end 1.4 refresh failed"))
        #expect(tester.engine.paging.itemCount == 30)
        tester.send(.loadMoreRequested(cause: .code))
        #expect(
            tester.take().contains("load 1.5 more manual by code, page 4 offset 30 size 10"))
        tester.finish(5, .cancelled)
        tester.skip()
    }

    @Test(
        "With depth `first`, style `none` or a list of one page, only the first page is requested"
    )
    func first() {
        let alone = "page 1 offset 0 size 10"
        var list = Self.tester(.first, offset: 1500)
        #expect(Self.refresh(&list) == "load 1.4 refresh manual by code, \(alone)")
        list.finish(4, .cancelled)
        list.skip()
        var short = Self.tester(.keep, pages: 1)
        #expect(Self.refresh(&short) == "load 1.2 refresh manual by code, \(alone)")
        short.finish(2, .cancelled)
        short.skip()
        #expect(Self.refresh(&short) == "load 1.3 refresh manual by code, \(alone)")
        short.finish(3, .cancelled)
        short.skip()
        var single = Self.tester(.keep, pages: 1, style: .none)
        #expect(Self.refresh(&single) == "load 1.2 refresh manual by code, \(alone)")
        single.finish(2, .cancelled)
        single.skip()
    }

    /// The depth, the style, the accepted pages, `pagesKeptMax`, the offset, and the request.
    private static let windows:
        [(RefreshDepth, PagingStyle, pages: Int, most: Int, offset: Double, request: String)] = [
            (.keep, .page, 5, 20, 0, "page 1 offset 0 size 10 pages 5"),
            (.keep, .page, 5, 5, 4200, "page 1 offset 0 size 10 pages 5"),
            // Pages 2 and 3 of 1...10 are in sight.
            (.keep, .page, 10, 4, 1500, "page 1 offset 0 size 10 pages 4"),
            (.keep, .page, 10, 4, 3000, "page 1 offset 0 size 10 pages 4"),
            // Page 6 is in sight. The request has the pages 5 to 8.
            (.keep, .page, 10, 4, 5100, "page 5 offset 40 size 10 pages 4"),
            (.keep, .offset, 10, 4, 5100, "page 5 offset 40 size 10 pages 4"),
            (.keep, .page, 10, 4, 9200, "page 7 offset 60 size 10 pages 4"),
            (.keep, .page, 10, 1, 5500, "page 6 offset 50 size 10"),
            (.keep, .cursor, 10, 4, 5100, "page 1 offset 0 size 10 pages 4"),
            (.keepVisible, .page, 10, 20, 0, "page 1 offset 0 size 10"),
            (.keepVisible, .page, 10, 20, 1500, "page 1 offset 0 size 10 pages 4"),
            (.keepVisible, .page, 10, 20, 1, "page 1 offset 0 size 10 pages 2"),
            (.keepVisible, .page, 10, 20, 200, "page 1 offset 0 size 10 pages 2"),
            (.keepVisible, .page, 10, 20, 201, "page 1 offset 0 size 10 pages 3"),
            (.keepVisible, .page, 10, 4, 7500, "page 7 offset 60 size 10 pages 4"),
            (.keepVisible, .page, 10, 20, 9900, "page 1 offset 0 size 10 pages 11"),
            (.keepVisible, .cursor, 10, 20, 7100, "page 1 offset 0 size 10 pages 9"),
        ]

    @Test("Beyond pagesKeptMax, the pages around those in sight are requested", arguments: windows)
    func window(
        depth: RefreshDepth, style: PagingStyle, pages: Int, most: Int, offset: Double,
        request: String
    ) {
        var tester = Self.tester(
            depth, pages: pages, offset: offset, style: style, most: most)
        let number = UInt32(pages + 1)
        #expect(
            Self.refresh(&tester) == "load 1.\(number) refresh manual by code, \(request)")
        tester.finish(number, .cancelled)
        tester.skip()
    }

    @Test("A refresh near the list's start requests the pages that were dropped there")
    func windowMoves() {
        var tester = Self.tester(.keep, pages: 10, offset: 5100, most: 4)
        _ = Self.refresh(&tester)
        tester.send(.loadEnded(LoadID(11), Self.ending(pages: 4, skipped: 4)))
        #expect(tester.take().contains("list 40 and more"))
        #expect(tester.engine.paging.firstPage == 5 && tester.engine.paging.firstOffset == 40)
        #expect(tester.engine.paging.lastPage == 8 && tester.engine.paging.lastOffset == 70)
        var geometry = GeometryChange.sizes(content: 4000)
        geometry.offset = 0
        tester.send(.geometryChanged(geometry))
        tester.skip()
        #expect(
            Self.refresh(&tester)
                == "load 1.12 refresh manual by code, page 4 offset 30 size 10 pages 4")
        tester.send(.loadEnded(LoadID(12), Self.ending(pages: 4, skipped: 3)))
        tester.skip()
        tester.send(.loadMoreRequested(cause: .code))
        #expect(
            tester.take().contains(
                "load 1.13 more manual by code, page 8 offset 70 size 10 cursor end"))
        tester.finish(13, .cancelled)
        tester.skip()
    }

    @Test("No length of the content causes a trap", arguments: [0, 1e-300, 1, 1e7])
    func sizes(content: Double) {
        var tester = Self.tester(.keep, pages: 4, offset: 3000, most: 2) {
            $0.loadMore?.fillPagesMax = 0
        }
        var geometry = GeometryChange.sizes(viewport: 1e7, content: content)
        geometry.offset = -1e7
        tester.send(.geometryChanged(geometry))
        tester.skip()
        geometry.offset = 1e7
        tester.send(.geometryChanged(geometry))
        tester.skip()
        #expect(Self.refresh(&tester)?.hasPrefix("load 1.5 refresh") == true)
        tester.finish(5, .cancelled)
        tester.skip()
    }

    @Test(
        "A client that performs the load sends all items in one answer",
        arguments: [
            (30, nil, "list 30 and more", 3), (25, nil, "list 25", 3), (20, nil, "list 20", 2),
            (25, true, "list 25 and more", 3), (0, nil, "list 0", 1), (31, false, "list 31", 3),
        ] as [(Int, Bool?, String, Int)])
    func clientBacked(count: Int, more: Bool?, list: String, pages: Int) {
        var tester = Self.tester(.keep, offset: 1500) { $0.isClientBacked = true }
        #expect(
            Self.refresh(&tester)
                == "load 1.4 refresh manual by code, page 1 offset 0 size 10 pages 3")
        tester.finish(4, count == 0 ? .empty : .success, count: count, more: more)
        #expect(tester.take().contains(list))
        #expect(tester.engine.paging.lastPage == pages)
        // A load that the client performs takes only one number, because it is not divided into one
        // load for each page.
        _ = Self.refresh(&tester)
        tester.finish(5, .cancelled)
        tester.skip()
    }

    // MARK: The place

    @Test(
        "The anchored item stays where it is, with the room open or closed, or under a finger",
        arguments: [(0, false), (5000, false), (0, true), (5000, true)] as [(UInt32, Bool)])
    func anchored(minVisible: UInt32, isHeld: Bool) {
        var tester = Self.tester(.keep, offset: 1500) {
            $0.refresh?.holdsInset = true
            $0.refresh?.minVisible = minVisible
        }
        // The indicator of the first page's load may still be shown. In this case the list was
        // moved to make the indicator visible.
        tester.send(.geometryChanged(GeometryChange()), after: 6000)
        tester.skip()
        tester.scroll(.idle, 1500)
        tester.skip()
        var before = GeometryChange()
        before.anchor = Anchor(name: 7, position: 1600)
        tester.send(.geometryChanged(before))
        tester.skip()
        if isHeld {
            tester.scroll(.began, 1500)
            tester.skip()
        }
        _ = Self.refresh(&tester)
        tester.send(.loadEnded(LoadID(4), Self.ending(pages: 3)))
        tester.skip()
        var after = GeometryChange()
        after.content = SizeChange(width: 390, height: 3150)
        after.anchor = Anchor(name: 7, position: 1750)
        tester.send(.geometryChanged(after))
        tester.expect("offset 1650")
        #expect(tester.engine.offset == 1650)
        if isHeld {
            tester.scroll(.dragging, 1640)
            #expect(!tester.take().contains { $0.hasPrefix("top pulling") })
            tester.scroll(.cancelled, 1640)
            tester.skip()
        }
        tester.comeToRest()
    }

    @Test("If the item is gone, its neighbour stays where it is")
    func neighbour() {
        var tester = Self.tester(.keep, offset: 1500)
        var change = GeometryChange()
        change.anchor = Anchor(name: 7, position: 1600)
        tester.send(.geometryChanged(change))
        tester.skip()
        _ = Self.refresh(&tester)
        tester.send(.loadEnded(LoadID(4), Self.ending(pages: 3)))
        tester.skip()
        change.anchor = Anchor(name: 8, position: 1640)
        tester.send(.geometryChanged(change))
        tester.expectNothing()
        change.content = SizeChange(width: 390, height: 2900)
        change.anchor = Anchor(name: 8, position: 1540)
        tester.send(.geometryChanged(change))
        tester.expect("offset 1400")
    }

    // MARK: Changes

    /// The values of one row: whether the client has features, the change policy, the depth, the
    /// paging style, the pages and the offset. The last value states whether the change is
    /// announced and causes no refresh.
    private static let changes:
        [(
            Bool, ChangePolicy, RefreshDepth, PagingStyle, pages: Int, offset: Double,
            isAnnounced: Bool
        )] =
            [
                (true, .silent, .first, .page, 3, 0, false),
                (true, .silent, .first, .page, 3, 200, false),
                (true, .silent, .first, .page, 3, 201, true),
                (true, .visible, .first, .page, 3, 1500, true),
                (true, .silent, .first, .page, 1, 190, false),
                (false, .silent, .first, .page, 3, 1500, false),
                (false, .visible, .first, .page, 3, 1500, false),
                (true, .silent, .keep, .page, 3, 1500, false),
                (true, .visible, .keepVisible, .page, 3, 1500, false),
                (true, .silent, .keep, .page, 8, 7100, false),
                (true, .silent, .keep, .cursor, 8, 3100, false),
                (true, .silent, .keep, .cursor, 8, 7100, true),
            ]

    @Test(
        "If a refresh would remove the visible pages, a change is announced instead",
        arguments: changes)
    func change(
        hasFeatures: Bool, policy: ChangePolicy, depth: RefreshDepth, style: PagingStyle,
        pages: Int, offset: Double, isAnnounced: Bool
    ) {
        var tester = Self.tester(
            depth, pages: pages, offset: offset, style: style, most: 4
        ) { $0.refresh?.changes = policy }
        if hasFeatures { tester.keepPlace() }
        tester.send(.feedChanged())
        guard !isAnnounced else {
            tester.expect("newer")
            tester.send(.feedChanged())
            return tester.expectNothing()
        }
        #expect(tester.take().last?.contains("refresh manual by changed") == true)
        tester.send(.cancelRequested(nil))
        tester.skip()
    }

    @Test(
        "A list in a long first page is away from its start if it is more than a viewport beyond its resting offset"
    )
    func longPage() {
        for (offset, isAnnounced) in [(800.0, false), (801, true)] {
            var tester = Self.tester(.first, pages: 2, offset: offset) {
                $0.refresh?.changes = .silent
            }
            tester.send(.geometryChanged(.sizes(content: 20_000)))
            tester.skip()
            tester.keepPlace()
            tester.send(.feedChanged())
            #expect(tester.take().contains("newer") == isAnnounced)
            tester.send(.cancelRequested(nil))
            tester.skip()
        }
    }

    @Test("A pull during a silent refresh takes over the load of all pages")
    func pullDuringSilentRefresh() {
        var tester = Self.tester(.keep) { $0.refresh?.changes = .silent }
        tester.keepPlace()
        tester.send(.feedChanged())
        tester.expect("load 1.4 refresh manual by changed, page 1 offset 0 size 10 pages 3")
        tester.pullAndRelease(to: -100)
        #expect(!tester.take().contains { $0.hasPrefix("load") })
        tester.expect(top: .refreshing(LoadID(4)))
        tester.send(.loadEnded(LoadID(4), Self.ending(pages: 3)))
        #expect(tester.take().contains("list 30 and more"))
        tester.comeToRest()
    }

    // MARK: Saved state

    @Test("A running refresh at depth is encoded and decoded with the same `LoadOrder`")
    func saved() throws {
        var tester = Self.tester(.keep, pages: 10, offset: 5100, most: 4)
        _ = Self.refresh(&tester)
        let engine = tester.engine
        var copy = try JSONDecoder().decode(Engine.self, from: JSONEncoder().encode(engine))
        #expect(copy == engine)
        var effects: [Effect] = []
        copy.handle(
            .scrolled(ScrollSample(offset: 0, phase: .idle)), at: tester.now, into: &effects)
        #expect(copy.loadsInFlight == engine.loadsInFlight)
        #expect(copy.loadsInFlight.first?.pages == 4 && copy.loadsInFlight.first?.skipped == 4)
        tester.finish(11, .cancelled)
        tester.skip()
    }
}
