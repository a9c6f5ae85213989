import Foundation
import RefreshEngine
import RefreshProtocol
import Testing

/// New queries of a view. Source: docs/protocol.md, "Queries".
@Suite("Queries")
struct QueryTests {
    private static func query(
        _ debounceMs: UInt32 = 0, clears: Bool = false, looksUp: Bool = false
    ) -> Event {
        .queryChanged(debounceMs: debounceMs, clears: clears, looksUp: looksUp)
    }

    private static func load(_ number: Int) -> String { "load " + order(number) }

    private static func order(_ number: Int) -> String {
        "1.\(number) refresh manual by query, page 1 offset 0 size 10"
    }

    private static func found(_ count: Int = 10, ageMs: UInt32 = 100, isFresh: Bool = true)
        -> CachedEnding
    {
        CachedEnding(LoadEnding(.success, count: count), ageMs: ageMs, isFresh: isFresh)
    }

    /// A view whose first page is loaded by load 1.
    private static func tester(
        _ change: (inout ViewOptions) -> Void = { _ in }
    ) -> EngineTester {
        var tester = EngineTester(.iq { change(&$0) })
        tester.loadFirstPage()
        return tester
    }

    @Test("Without a debounce the first page is requested at once, and the refresh edge stays idle")
    func atOnce() {
        var tester = Self.tester()
        tester.send(Self.query())
        tester.expect(Self.load(2))
        tester.expect(top: .idle)
        #expect(tester.engine.silentLoad == LoadID(2))
        #expect(!tester.engine.paging.hasPage)
        tester.finish(2, .success, count: 7, more: false)
        tester.expect("list 7", "bottom noMore", "end 1.2 refresh success")
        tester.expect(top: .idle, bottom: .noMore)
        #expect(tester.engine.refresh.lastUpdated == tester.now)
        #expect(tester.engine.nextDeadline == nil)
    }

    @Test("Of twelve queries in quick succession, only the last one requests a page")
    func debounce() {
        var tester = Self.tester()
        for _ in 0..<12 { tester.send(Self.query(250), after: 50) }
        let last = tester.now
        #expect(tester.engine.refresh.awaited == .query)
        tester.passDeadline()
        tester.expect(Self.load(2))
        #expect(tester.now == last.advanced(byMilliseconds: 250.0))
        #expect(tester.engine.refresh.awaited == .none)
        tester.finish(2, .success, count: 10)
        tester.expect("list 10 and more", "end 1.2 refresh success")
        #expect(tester.engine.nextDeadline == nil)
    }

    @Test("After a refresh that began with a later page, a look-up asks for the feed's first page")
    func lookUpAfterDepth() {
        var tester = Self.tester {
            $0.refresh?.depth = .keep
            $0.pagesKeptMax = 2
        }
        for page in 2...4 {
            tester.send(.loadMoreRequested(cause: .code))
            tester.skip()
            tester.finish(UInt32(page), .success, count: 10)
            tester.skip()
        }
        var geometry = GeometryChange.sizes(content: 4000)
        geometry.offset = 3100
        tester.send(.geometryChanged(geometry))
        tester.skip()
        tester.send(.refreshRequested(cause: .code, animated: false))
        #expect(tester.take().last?.contains("page 3 offset 20") == true)
        var ending = LoadEnding(.success, count: 20, more: true)
        (ending.pages, ending.lastCount, ending.skipped) = (2, 10, 2)
        tester.send(.loadEnded(LoadID(5), ending))
        tester.skip()
        tester.send(Self.query(looksUp: true))
        #expect(tester.engine.lookUp != nil)
        #expect(tester.take().last?.contains("page 1 offset 0") == true)
    }

    @Test("A load-more that waits for the first page of a query begins after this page")
    func queuedLoadMore() {
        var tester = Self.tester { $0.loadMore?.whileRefreshing = .queue }
        tester.send(Self.query(250))
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.passDeadline()
        #expect(tester.take().contains(Self.load(2)))
        tester.expect(top: .idle, bottom: .waiting)
        tester.finish(2, .success, count: 10, more: true)
        #expect(tester.take().contains { $0.hasPrefix("load 1.3 more") })
        tester.finish(3, .cancelled)
        tester.skip()
    }

    @Test("With `clear` the list is empty at once")
    func clear() {
        var tester = Self.tester()
        tester.send(Self.query(250, clears: true))
        tester.expect("list 0 and more")
        tester.passDeadline()
        tester.expect(Self.load(2))
        tester.finish(2, .empty)
        tester.expect("list 0", "bottom noMore", "end 1.2 refresh empty")
    }

    @Test("A query ends the state `noMore`")
    func opens() {
        var tester = EngineTester()
        tester.loadFirstPage(count: 3)
        tester.expect(top: .idle, bottom: .noMore)
        tester.send(Self.query())
        tester.expect("bottom idle", Self.load(2))
        tester.finish(2, .cancelled)
        tester.skip()
    }

    @Test("A query cancels the load of a page, and the late answer to that load is dropped")
    func underLoadMore() {
        var tester = Self.tester()
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.send(Self.query())
        let effects = tester.take()
        #expect(effects.contains("end 1.2 more cancelled"))
        #expect(effects.last == Self.load(3))
        tester.finish(2, .success, count: 10)
        tester.expect("late 1.2")
        tester.finish(3, .success, count: 4, more: true)
        tester.expect("list 4 and more", "end 1.3 refresh success")
    }

    @Test("A query cancels the visible refresh and the load of the previous query")
    func underRefresh() {
        var tester = Self.tester()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.send(Self.query())
        let effects = tester.take()
        #expect(effects.contains("end 1.2 refresh cancelled"))
        #expect(effects.last == Self.load(3))
        tester.send(Self.query())
        tester.expect("end 1.3 refresh cancelled", Self.load(4))
        tester.finish(3, .success, count: 10)
        tester.expect("late 1.3")
        tester.finish(4, .success, count: 10)
        tester.expect("list 10 and more", "end 1.4 refresh success")
    }

    @Test("After a query has failed, the next page is the first page of this query")
    func failure() {
        var tester = Self.tester()
        tester.send(Self.query())
        tester.skip()
        tester.finish(2, .failed)
        tester.expect("end 1.2 refresh failed")
        tester.expect(top: .idle)
        #expect(!tester.engine.paging.hasPage)
        tester.send(.loadMoreRequested(cause: .code))
        #expect(
            tester.take().contains("load 1.3 more manual by code, page 1 offset 0 size 10"))
        tester.finish(3, .success, count: 10)
        tester.skip()
        #expect(tester.engine.paging.isAtFirstPage && tester.engine.paging.itemCount == 10)
    }

    @Test("A failed query can be retried")
    func retry() {
        var tester = Self.tester()
        tester.send(Self.query())
        tester.skip()
        tester.finish(2, .timedOut)
        tester.skip()
        tester.send(.retryRequested(nil))
        #expect(
            tester.take().contains(
                "load 1.3 refresh manual by retry, page 1 offset 0 size 10 attempt 2"))
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    @Test("A request during the debounce begins the load at once, and no other load follows")
    func takenOver() {
        var tester = Self.tester()
        tester.send(Self.query(250))
        tester.send(.refreshRequested(cause: .code, animated: false))
        #expect(
            tester.take().contains("load 1.2 refresh manual by code, page 1 offset 0 size 10"))
        #expect(tester.engine.refresh.awaited == .none)
        tester.finish(2, .success, count: 10)
        tester.skip()
        tester.comeToRest()
        #expect(tester.engine.loadsInFlight.isEmpty)
    }

    @Test("A request while the load of a query is in flight makes this load visible")
    func visible() {
        var tester = Self.tester()
        tester.send(Self.query())
        tester.skip()
        tester.send(.refreshRequested(cause: .code, animated: false))
        #expect(!tester.take().contains { $0.hasPrefix("load") })
        tester.expect(top: .refreshing(LoadID(2)))
        tester.finish(2, .success, count: 10)
        tester.skip()
    }

    @Test("A cancel or a reset of the refresh edge ends the debounce", arguments: [true, false])
    func ended(isReset: Bool) {
        var tester = Self.tester()
        tester.send(Self.query(250))
        tester.send(isReset ? .resetRequested(.refresh) : .cancelRequested(.refresh))
        tester.skip()
        #expect(tester.engine.nextDeadline == nil && tester.engine.refresh.awaited == .none)
    }

    @Test("A query drops a pending change. A change during the debounce causes no load of its own")
    func changes() {
        var tester = Self.tester { $0.refresh?.changes = .silent }
        tester.drag(to: -20)
        tester.skip()
        tester.send(.feedChanged())
        tester.send(Self.query(250))
        tester.skip()
        tester.scroll(.ended, 0)
        tester.skip()
        tester.send(.feedChanged())
        tester.send(.timePassed)
        tester.expectNothing()
        while tester.engine.refresh.awaited == .query { tester.passDeadline() }
        #expect(tester.take().contains(Self.load(2)))
        tester.finish(2, .success, count: 10)
        tester.expect("list 10 and more", "end 1.2 refresh success")
        #expect(tester.engine.silentLoad == nil && tester.engine.refresh.awaited == .none)
    }

    @Test("A view without a refresh edge has queries too. New options do not end a query's load")
    func noRefreshEdge() {
        var tester = EngineTester(.iq { $0.refresh = nil })
        tester.send(Self.query())
        tester.expect(Self.load(1))
        tester.send(
            .edgesConfigured(refresh: nil, loadMore: tester.engine.options.loadMore))
        tester.expectNothing()
        tester.finish(1, .success, count: 10)
        tester.expect("list 10 and more", "end 1.1 refresh success")
    }

    // MARK: Look-ups

    @Test("A cached fresh page is shown during the debounce, and no load follows")
    func cachedFresh() {
        var tester = Self.tester()
        tester.send(Self.query(250, looksUp: true))
        tester.expect("look up " + Self.order(2))
        tester.send(.lookUpEnded(LoadID(2), Self.found(8)))
        tester.expect(
            "cached " + Self.order(2), "list 8", "bottom noMore", "end 1.2 refresh success")
        #expect(tester.engine.nextDeadline == nil)
        #expect(tester.engine.refresh.awaited == .none)
        #expect(
            tester.engine.refresh.lastUpdated == tester.now.advanced(byMilliseconds: -100.0))
    }

    @Test("After a cached stale page, the load follows when the debounce has ended")
    func cachedStale() {
        var tester = Self.tester()
        tester.send(Self.query(250, looksUp: true))
        tester.skip()
        tester.send(.lookUpEnded(LoadID(2), Self.found(isFresh: false)))
        tester.expect("cached " + Self.order(2), "list 10 and more", "end 1.2 refresh success")
        tester.passDeadline()
        tester.expect(Self.load(3))
        tester.finish(3, .success, count: 9, more: true)
        tester.expect("list 9 and more", "end 1.3 refresh success")
    }

    @Test("Without a debounce, the load follows when the look-up has ended")
    func lookUpFirst() {
        var tester = Self.tester()
        tester.send(Self.query(looksUp: true))
        tester.expect("look up " + Self.order(2))
        tester.send(.lookUpEnded(LoadID(2), nil))
        tester.expect(Self.load(3))
        tester.send(Self.query(looksUp: true))
        tester.expect("end 1.3 refresh cancelled", "look up " + Self.order(4))
        tester.send(.lookUpEnded(LoadID(4), Self.found(isFresh: false)))
        tester.expect(
            "cached " + Self.order(4), "list 10 and more", "end 1.4 refresh success",
            Self.load(5))
        tester.finish(5, .success, count: 10)
        tester.skip()
    }

    @Test("If the debounce ends before the look-up, the load waits for the look-up")
    func lookUpLast() {
        var tester = Self.tester()
        tester.send(Self.query(250, looksUp: true))
        tester.skip()
        tester.passDeadline()
        tester.expectNothing()
        #expect(tester.engine.nextDeadline == nil)
        tester.send(.lookUpEnded(LoadID(2), nil))
        tester.expect(Self.load(3))
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    @Test("The answer to the look-up of an earlier query is dropped")
    func lateLookUp() {
        var tester = Self.tester()
        tester.send(Self.query(250, looksUp: true))
        tester.skip()
        tester.send(Self.query(250, looksUp: true))
        tester.expect("look up " + Self.order(3))
        tester.send(.lookUpEnded(LoadID(2), nil))
        tester.expectNothing()
        tester.send(.lookUpEnded(LoadID(2), Self.found()))
        tester.expect("late 1.2")
        tester.send(.lookUpEnded(LoadID(3), Self.found()))
        #expect(tester.take().contains("cached " + Self.order(3)))
    }

    @Test("A request during the look-up replaces the look-up")
    func lookUpTakenOver() {
        var tester = Self.tester()
        tester.send(Self.query(looksUp: true))
        tester.skip()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.send(.lookUpEnded(LoadID(2), Self.found()))
        tester.expect("late 1.2")
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    // MARK: Saved state

    @Test("A debounce is encoded and decoded, and keeps its remaining time on another clock")
    func saved() throws {
        var tester = Self.tester()
        tester.send(Self.query(250, looksUp: true))
        tester.skip()
        var engine = try JSONDecoder().decode(
            Engine.self, from: JSONEncoder().encode(tester.engine))
        #expect(engine == tester.engine)
        engine.shift(byMicroseconds: 5_000_000)
        // The look-up was lost when the daemon's process ended.
        engine.restartLoadDeadlines(at: tester.now)
        #expect(engine.lookUp == nil)
        let due = tester.now.advanced(byMilliseconds: 5250.0)
        #expect(engine.nextDeadline == due)
        var effects: [Effect] = []
        engine.handle(.timePassed, at: due, into: &effects)
        #expect(effects.map { $0.text(at: due) } == [Self.load(3)])
    }

    @Test("If a look-up without a debounce is lost, the load begins at once")
    func lostLookUp() {
        var tester = Self.tester()
        tester.send(Self.query(looksUp: true))
        tester.skip()
        var engine = tester.engine
        engine.restartLoadDeadlines(at: tester.now)
        var effects: [Effect] = []
        engine.handle(.timePassed, at: tester.now, into: &effects)
        #expect(effects.map { $0.text(at: tester.now) } == [Self.load(3)])
    }
}
