import RefreshEngine
import RefreshProtocol
import Testing

/// Requests for a refresh while a refresh runs. Source: docs/protocol.md, "repeat".
@Suite("A repeated refresh")
struct RepeatTests {
    /// A view that refreshes visibly with load 1.
    private static func refreshing(
        _ policy: RepeatPolicy, _ change: (inout ViewOptions) -> Void = { _ in }
    ) -> EngineTester {
        var tester = EngineTester(
            .iq {
                $0.refresh?.repetition = policy
                change(&$0)
            })
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        return tester
    }

    @Test("With reject, a second request is ignored with a diagnostic")
    func reject() {
        var tester = Self.refreshing(.reject)
        tester.send(.refreshRequested(cause: .key, animated: true))
        tester.expectNothing()
        #expect(tester.ignored == [.alreadyLoading])
        tester.finish(1, .success, count: 10)
        tester.skip()
    }

    @Test("With join, the running load answers a second request")
    func join() {
        var tester = Self.refreshing(.join)
        tester.send(.refreshRequested(cause: .key, animated: true))
        tester.expect("joined 1.1")
        #expect(tester.ignored.isEmpty)
        tester.expect(top: .refreshing(LoadID(1)))
        tester.finish(1, .success, count: 10)
        #expect(tester.take().contains("end 1.1 refresh success"))
    }

    @Test("With newest, a new load replaces the running one, and the indicator stays")
    func newest() {
        var tester = Self.refreshing(.newest) { $0.announces = true }
        tester.send(.refreshRequested(cause: .key, animated: true))
        tester.expect(
            "end 1.1 refresh cancelled", "top refreshing by key",
            "load 1.2 refresh manual by key, page 1 offset 0 size 10")
        tester.expect(top: .refreshing(LoadID(2)))
        tester.finish(1, .success, count: 10)
        tester.expect("late 1.1")
        tester.finish(2, .success, count: 10)
        #expect(tester.take().contains("end 1.2 refresh success"))
    }

    @Test("With newest, a client that loads the items begins the new load before it is shown")
    func clientBacked() {
        var tester = EngineTester(
            .iq {
                $0.isClientBacked = true
                $0.refresh?.repetition = .newest
                $0.refresh?.pollMs = 10_000
            })
        tester.send(.connectionChanged(isConnected: true))
        tester.send(.timePassed, after: 12_000)
        tester.expect("load 1.1 refresh manual by poll, page 1 offset 0 size 10")
        tester.send(.refreshRequested(cause: .key, animated: false))
        #expect(tester.take().contains("end 1.1 refresh cancelled"))
        tester.expect(top: .triggered(LoadID(2)))
        tester.finish(2, .success, count: 10)
        tester.skip()
    }

    @Test("A new load has its own deadline")
    func deadline() {
        var tester = Self.refreshing(.newest) { $0.refresh?.deadline = 1000 }
        tester.send(.refreshRequested(cause: .code, animated: true), after: 900)
        tester.skip()
        tester.send(.timePassed, after: 900)
        tester.expectNothing()
        tester.send(.timePassed, after: 100)
        #expect(tester.take().contains("end 1.2 refresh timedOut"))
    }

    @Test("With newest, a hidden load of a client that is the backend stays hidden")
    func hidden() {
        var tester = Self.refreshing(.newest) { $0.isClientBacked = true }
        tester.expect(top: .triggered(LoadID(1)))
        tester.send(.refreshRequested(cause: .code, animated: true))
        #expect(tester.take().first == "end 1.1 refresh cancelled")
        tester.expect(top: .triggered(LoadID(2)))
        tester.finish(2, .success, count: 10)
        tester.skip()
    }

    @Test("A request whose cause `intents` excludes neither joins nor replaces a refresh")
    func intents() {
        for policy in [RepeatPolicy.join, .newest] {
            var tester = Self.refreshing(policy) { $0.refresh?.intents = [.code] }
            tester.send(.refreshRequested(cause: .key, animated: true))
            tester.expectNothing()
            #expect(tester.ignored == [.intentLeftOut])
            tester.finish(1, .success, count: 10)
            tester.skip()
        }
    }

    @Test("With join or newest, a request joins a refresh that waits for a page")
    func waiting() {
        for policy in [RepeatPolicy.join, .newest] {
            var tester = EngineTester(
                .iq {
                    $0.refresh?.repetition = policy
                    $0.refresh?.whileLoading = .queue
                })
            tester.loadFirstPage()
            tester.send(.loadMoreRequested(cause: .code))
            tester.skip()
            tester.send(.refreshRequested(cause: .code, animated: true))
            tester.skip()
            tester.expect(top: .waiting, bottom: .loading(LoadID(2)))
            tester.send(.refreshRequested(cause: .code, animated: true))
            tester.expect("joined the wait")
            tester.send(.cancelRequested(nil))
            tester.skip()
        }
    }

    @Test("With newest, a request replaces a silent refresh; a failed request reports newer data")
    func silent() {
        var tester = EngineTester(
            .iq {
                $0.refresh?.repetition = .newest
                $0.refresh?.changes = .silent
            })
        tester.loadFirstPage()
        tester.send(.feedChanged())
        tester.skip()
        #expect(tester.engine.silentLoad == LoadID(2))
        tester.send(.refreshRequested(cause: .code, animated: false))
        let effects = tester.take()
        #expect(effects.contains("end 1.2 refresh cancelled"))
        #expect(!effects.contains("newer"))
        #expect(tester.engine.silentLoad == nil)
        tester.expect(top: .refreshing(LoadID(3)))
        tester.finish(3, .failed)
        #expect(tester.take().contains("newer"))
    }
}
