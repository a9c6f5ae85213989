import RefreshEngine
import RefreshProtocol
import Testing

/// Operations whose order is uncertain. Source: docs/protocol.md, "Live items".
@Suite("Verification of a list")
struct VerificationTests {
    private static let poll = "load 1.2 refresh manual by poll, page 1 offset 0 size 10"

    private static func tester(
        _ changes: ChangePolicy = .cue, pollMs: UInt32 = 0
    ) -> EngineTester {
        var tester = EngineTester(
            .iq {
                $0.refresh?.changes = changes
                $0.refresh?.pollMs = pollMs
            })
        tester.loadFirstPage()
        return tester
    }

    @Test(
        "The list is loaded silently, also in a view that does not poll",
        arguments: [UInt32(0), 60_000])
    func silent(pollMs: UInt32) {
        var tester = Self.tester(pollMs: pollMs)
        tester.send(.orderUncertain)
        tester.expect(Self.poll)
        tester.expect(top: .idle)
        tester.finish(2, .success, count: 10)
        tester.expect("list 10 and more", "end 1.2 refresh success")
        tester.send(.timePassed, after: 10_000)
        tester.expectNothing()
    }

    @Test("A view that ignores changes, or whose edge is disabled, is not verified")
    func ignored() {
        var ignoring = Self.tester(.ignore)
        ignoring.send(.orderUncertain)
        ignoring.expectNothing()
        var disabled = Self.tester()
        disabled.send(.edgeEnabled(.refresh, false))
        disabled.skip()
        disabled.send(.orderUncertain)
        disabled.send(.edgeEnabled(.refresh, true))
        disabled.skip()
        #expect(disabled.engine.silentLoad == nil)
    }

    @Test("While a finger is down, the verification waits")
    func finger() {
        var tester = Self.tester()
        tester.drag(to: 0)
        tester.skip()
        tester.send(.orderUncertain)
        tester.expectNothing()
        tester.scroll(.idle, 0)
        tester.expect(Self.poll)
        tester.finish(2, .success, count: 10)
        tester.skip()
    }

    @Test("While arrivals are held back, the verification waits, because a refresh would show them")
    func held() {
        var tester = Self.tester()
        tester.send(.operationsApplied(AppliedOperations(heldCount: 2)))
        tester.skip()
        tester.send(.orderUncertain)
        tester.expectNothing()
        tester.send(.operationsApplied(AppliedOperations(heldCount: 0)))
        let effects = tester.take()
        #expect(effects.contains(Self.poll))
        tester.finish(2, .success, count: 10)
        tester.skip()
    }

    @Test("A refresh that runs may be older than the operations, so the verification follows it")
    func running() {
        var tester = Self.tester()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.send(.orderUncertain)
        tester.expectNothing()
        tester.finish(2, .success, count: 10)
        tester.skip()
        while tester.engine.silentLoad == nil, tester.engine.nextDeadline != nil {
            tester.passDeadline()
            tester.skip()
        }
        #expect(tester.engine.silentLoad == LoadID(3))
        tester.finish(3, .success, count: 10)
        tester.skip()
        tester.send(.timePassed, after: 10_000)
        tester.expectNothing()
    }

    @Test("A refresh of the user replaces the verification")
    func replaced() {
        var tester = Self.tester()
        tester.drag(to: 0)
        tester.skip()
        tester.send(.orderUncertain)
        tester.scroll(.idle, 0)
        tester.skip()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.finish(2, .success, count: 10)
        tester.skip()
        tester.send(.timePassed, after: 10_000)
        tester.expectNothing()
        #expect(tester.engine.refreshLoad == nil)
    }
}
