import RefreshEngine
import RefreshProtocol
import Testing

/// The first items of a view. Source: docs/protocol.md, "First items".
@Suite("First items")
struct FirstItemsTests {
    private static let order = "1.1 refresh manual by initial, page 1 offset 0 size 10"

    private static func found(ageMs: UInt32) -> CachedEnding {
        CachedEnding(LoadEnding(.success, count: 10), ageMs: ageMs, isFresh: true)
    }

    @Test("A first load is visible at an enabled refresh edge")
    func load() {
        var tester = EngineTester()
        tester.send(.firstItemsRequested(looksUp: false))
        #expect(tester.take().contains("load " + Self.order))
        tester.expect(top: .refreshing(LoadID(1)))
        tester.finish(1, .success, count: 10)
        tester.skip()
    }

    @Test("If the client is the backend, the first load is not shown before the client begins it")
    func clientBacked() {
        var tester = EngineTester(.iq { $0.isClientBacked = true })
        tester.send(.firstItemsRequested(looksUp: false))
        tester.expect("top triggered by initial", "load " + Self.order)
        tester.finish(1, .success, count: 10)
        tester.skip()
    }

    @Test("Without an enabled refresh edge, the first load is invisible", arguments: [true, false])
    func invisible(isAbsent: Bool) {
        var tester = EngineTester(
            .iq {
                if isAbsent { $0.refresh = nil } else { $0.refresh?.isEnabled = false }
            })
        tester.send(.firstItemsRequested(looksUp: false))
        tester.expect("load " + Self.order)
        tester.finish(1, .success, count: 10)
        tester.expect("list 10 and more", "end 1.1 refresh success")
        tester.expect(top: .disabled)
    }

    @Test("A cached page is shown without a load")
    func cached() {
        var tester = EngineTester()
        tester.send(.firstItemsRequested(looksUp: true))
        tester.expect("look up " + Self.order)
        // The view appears before the look-up ends. It does not refresh yet, because the age of the
        // cached page decides whether a refresh is needed.
        tester.send(.appeared)
        tester.expectNothing()
        tester.send(.lookUpEnded(LoadID(1), Self.found(ageMs: 60_000)))
        tester.expect("cached " + Self.order, "list 10 and more", "end 1.1 refresh success")
        tester.expect(top: .idle)
        #expect(tester.engine.nextDeadline == nil)
    }

    @Test("A cached page is refreshed if its age is at least `staleAfter`")
    func stale() {
        for (ageMs, isRefreshed) in [(4999 as UInt32, false), (5000, true)] {
            var tester = EngineTester(.iq { $0.refresh?.staleAfter = 5000 })
            tester.send(.firstItemsRequested(looksUp: true))
            tester.skip()
            tester.send(.lookUpEnded(LoadID(1), Self.found(ageMs: ageMs)))
            let effects = tester.take()
            #expect(effects.contains("end 1.1 refresh success"))
            let load = "load 1.2 refresh manual by stale, page 1 offset 0 size 10"
            #expect(effects.contains(load) == isRefreshed)
            guard isRefreshed else { continue }
            tester.finish(2, .success, count: 10)
            tester.skip()
        }
    }

    @Test("Without a cached page, the first load begins")
    func notCached() {
        var tester = EngineTester()
        tester.send(.firstItemsRequested(looksUp: true))
        tester.skip()
        tester.send(.lookUpEnded(LoadID(1), nil))
        #expect(
            tester.take().contains("load 1.2 refresh manual by initial, page 1 offset 0 size 10"))
        tester.finish(2, .success, count: 10)
        tester.skip()
    }

    @Test("For a client without features, the cause `initial` of a load becomes `code`")
    func withoutFeatures() {
        var tester = EngineTester()
        tester.send(.firstItemsRequested(looksUp: false))
        tester.skip()
        var engine = tester.engine
        engine.removeFeatures()
        #expect(engine.edge(.refresh)?.cause == .code)
        #expect(engine.loadsInFlight.map(\.cause) == [.code])
        tester.finish(1, .cancelled)
        tester.skip()
    }
}
