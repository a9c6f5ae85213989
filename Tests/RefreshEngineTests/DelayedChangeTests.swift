import RefreshEngine
import RefreshProtocol
import Testing

/// The driver, which calls the engine, can delay the refresh for a change. Source:
/// docs/protocol.md, "Changes".
@Suite("A delayed change")
struct DelayedChangeTests {
    private static func tester(_ policy: ChangePolicy = .visible) -> EngineTester {
        var tester = EngineTester(.iq { $0.refresh?.changes = policy })
        tester.loadFirstPage()
        tester.delayChange()
        return tester
    }

    @Test("Only a view whose policy is `silent` or `visible` delays changes")
    func policies() {
        for policy in ChangePolicy.allCases {
            let engine = Engine(
                generation: 1, options: .iq { $0.refresh?.changes = policy }, geometry: .sizes(),
                offset: nil)
            #expect(engine.refreshesOnChange == (policy == .silent || policy == .visible))
        }
    }

    @Test("A delayed change has no effect until the driver reports it after the delay")
    func waits() {
        var tester = Self.tester()
        #expect(tester.engine.hasDelayedChange)
        tester.send(.timePassed, after: 1000)
        tester.expectNothing()
        tester.send(.feedChanged())
        #expect(tester.take().contains { $0.contains("by changed") })
        #expect(!tester.engine.hasDelayedChange)
        tester.finish(2, .success, count: 10)
        tester.skip()
    }

    @Test("A refresh that begins during the delay delivers the change", arguments: [true, false])
    func takenOver(_ succeeds: Bool) {
        var tester = Self.tester()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        #expect(!tester.engine.hasDelayedChange)
        tester.finish(2, succeeds ? .success : .failed, count: 10)
        #expect(tester.take().contains("newer") == !succeeds)
    }

    @Test("A change is not delayed if an earlier change waits until the list rests")
    func merged() {
        var tester = EngineTester(.iq { $0.refresh?.changes = .silent })
        tester.loadFirstPage()
        tester.scroll(.began, 300)
        tester.send(.feedChanged())
        tester.delayChange()
        #expect(!tester.engine.hasDelayedChange && tester.engine.hasWaitingChange)
        tester.scroll(.ended, 300)
        tester.skip()
        tester.finish(2, .success, count: 10)
        tester.skip()
    }

    @Test("A reset forgets a delayed change")
    func reset() {
        var tester = Self.tester()
        tester.send(.resetRequested(nil))
        tester.skip()
        #expect(!tester.engine.hasDelayedChange)
    }
}
