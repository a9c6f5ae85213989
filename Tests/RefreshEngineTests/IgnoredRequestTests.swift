import RefreshEngine
import RefreshProtocol
import Testing

/// A request that has no effect reports the reason, and nothing else. Source: docs/protocol.md,
/// "Diagnostics".
@Suite("A request that is ignored")
struct IgnoredRequestTests {
    private static let refresh = Event.refreshRequested(cause: .key, animated: false)
    private static let more = Event.loadMoreRequested(cause: .key)

    @Test("During the cool-down, a refresh request reports coolingDown, unless the cause is `code`")
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

    @Test("At either edge, a request reports intentLeftOut if the intents exclude its cause")
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

    @Test("A request for an edge that loads already reports alreadyLoading")
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

    @Test("A request that the other edge's load blocks reports otherEdgeLoading")
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

    @Test("A request or the message `begin` for a disabled edge reports edgeDisabled")
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

    @Test("A load-more request at the end of the list reports nothingToLoad")
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

    @Test("If an automatic action has no effect, nothing is reported as ignored")
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

    @Test("end, cancel and begin are not reported as ignored if there is nothing left to do")
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
