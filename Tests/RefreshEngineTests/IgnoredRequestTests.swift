import RefreshEngine
import RefreshProtocol
import Testing

/// A request that changes nothing says why, and does nothing else. Source: docs/protocol.md,
/// "Diagnostics".
@Suite("A request that is ignored")
struct IgnoredRequestTests {
    private static let refresh = Event.refreshRequested(cause: .key, animated: false)
    private static let more = Event.loadMoreRequested(cause: .key)

    @Test("A refresh within the cool-down says coolingDown; one by code is done")
    func coolDown() {
        var tester = EngineTester(.iq { $0.refresh?.coolDown = 1000 })
        tester.loadFirstPage()
        tester.send(Self.refresh)
        #expect(tester.ignored == [.coolingDown])
        tester.expectNothing()
        tester.expect(top: .idle)
        tester.send(.refreshRequested(cause: .code, animated: false))
        #expect(tester.ignored == [])
        tester.skip()
        tester.finish(2, .success, count: 10)
        tester.skip()
    }

    @Test("A cause that the intents leave out says intentLeftOut, at either edge")
    func intents() {
        var tester = EngineTester(
            .iq {
                $0.refresh?.intents = Intents(.code)
                $0.loadMore?.intents = Intents(.code)
            })
        tester.loadFirstPage()
        for event in [Self.refresh, Self.more] {
            tester.send(event)
            #expect(tester.ignored == [.intentLeftOut])
            tester.expectNothing()
            tester.expect(top: .idle)
        }
    }

    @Test("A request while its own edge loads says alreadyLoading")
    func loading() {
        var tester = EngineTester(.iq())
        tester.loadFirstPage()
        tester.send(Self.more)
        tester.skip()
        tester.send(Self.more)
        #expect(tester.ignored == [.alreadyLoading])
        tester.expectNothing()
        tester.expect(top: .idle, bottom: .loading(LoadID(2)))
        tester.finish(2, .success, count: 10)
        tester.skip()
        tester.send(Self.refresh)
        tester.skip()
        tester.send(Self.refresh)
        #expect(tester.ignored == [.alreadyLoading])
        tester.expectNothing()
        tester.expect(top: .refreshing(LoadID(3)))
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    @Test("A request that the other edge's load keeps from loading says otherEdgeLoading")
    func otherEdge() {
        var tester = EngineTester(
            .iq {
                $0.refresh?.whileLoading = .reject
                $0.loadMore?.whileRefreshing = .reject
            })
        tester.loadFirstPage()
        tester.send(Self.more)
        tester.skip()
        tester.send(Self.refresh)
        #expect(tester.ignored == [.otherEdgeLoading])
        tester.expectNothing()
        tester.expect(top: .idle, bottom: .loading(LoadID(2)))
        tester.finish(2, .success, count: 10)
        tester.skip()
        tester.send(Self.refresh)
        tester.skip()
        tester.send(Self.more)
        #expect(tester.ignored == [.otherEdgeLoading])
        tester.expectNothing()
        tester.expect(top: .refreshing(LoadID(3)))
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    @Test("A request of a disabled edge says edgeDisabled, begin too")
    func disabled() {
        var tester = EngineTester(.iq())
        tester.loadFirstPage()
        for role in EdgeRole.allCases {
            tester.send(.edgeEnabled(role, false))
            tester.skip()
        }
        for event in [Self.refresh, Self.more, .indicatorShowRequested(animated: false)] {
            tester.send(event)
            #expect(tester.ignored == [.edgeDisabled])
            tester.expectNothing()
            tester.expect(top: .disabled, bottom: .disabled)
        }
    }

    @Test("A load-more at the end of the list says nothingToLoad")
    func noMore() {
        var tester = EngineTester(.iq())
        tester.loadFirstPage()
        tester.send(Self.more)
        tester.skip()
        tester.finish(2, .noMore)
        tester.skip()
        tester.send(Self.more)
        #expect(tester.ignored == [.nothingToLoad])
        tester.expectNothing()
        tester.expect(top: .idle, bottom: .noMore)
    }

    @Test("What a view does by itself is no request, and is never ignored aloud")
    func ownDoing() {
        var tester = EngineTester(.iq { $0.refresh?.staleAfter = 1 })
        tester.send(.appeared)
        tester.skip()
        tester.send(.appeared)
        #expect(tester.ignored == [])
        tester.expectNothing()
        tester.expect(top: .refreshing(LoadID(1)))
        tester.finish(1, .success, count: 10)
        tester.skip()
    }

    @Test("What is so already is not ignored: end, cancel, begin of what is shown")
    func idempotent() {
        var tester = EngineTester(.iq())
        tester.loadFirstPage()
        let events: [Event] = [
            .indicatorHideRequested(animated: false), .cancelRequested(nil),
            .indicatorShowRequested(animated: false),
            .indicatorShowRequested(animated: false),
        ]
        for event in events {
            tester.send(event)
            #expect(tester.ignored == [], "\(event)")
            tester.skip()
        }
        tester.expect(top: .refreshing(nil))
    }
}
