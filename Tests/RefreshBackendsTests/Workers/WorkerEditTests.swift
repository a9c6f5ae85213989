import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshBackends

/// Source: docs/backends.md, "Edits", "worker".
@Suite("The pool of workers: edits")
struct WorkerEditTests {
    private var harness = PoolHarness()

    private func fail(_ effects: [WorkerPool.Effect]) -> FaultCode? {
        for case .end(_, .failure(let failure)) in effects { return failure.code }
        return nil
    }

    @Test("An edit goes only to a worker that performs edits, and does not delay loads")
    mutating func capable() {
        harness.send(.joined(WorkerID(1), feeds: ["songs"], capacity: 1))
        #expect(
            harness.send(.started(CallID(1), feed: "songs", isEdit: true, deadline: .never))
                .isEmpty)
        #expect(
            harness.send(.started(CallID(2), feed: "songs", deadline: .never)) == [
                .assign(CallID(2), WorkerID(1), earlier: 0)
            ])
        #expect(
            harness.send(.joined(WorkerID(2), feeds: ["songs"], capacity: 1, edits: true)) == [
                .assign(CallID(1), WorkerID(2), earlier: 0)
            ])
        let item = Array(#"{"id":1}"#.utf8)
        #expect(
            harness.send(.received(WorkerID(2), .edited(CallID(1), item: item))) == [
                .endEdit(CallID(1), item)
            ])
    }

    @Test("Without a worker that performs edits, an edit ends as unavailable before its deadline")
    mutating func unavailable() {
        harness.send(.joined(WorkerID(1), feeds: ["songs"], capacity: 1))
        harness.send(
            .started(
                CallID(1), feed: "songs", isEdit: true, deadline: Instant(milliseconds: 1000)))
        #expect(fail(harness.advance(toMs: 999)) == .backendUnavailable)
    }

    @Test("An edit of a lost worker is given to another one, with the next attempt")
    mutating func lost() {
        for worker in 1...2 as ClosedRange<UInt64> {
            harness.send(.joined(WorkerID(worker), feeds: ["songs"], capacity: 1, edits: true))
        }
        #expect(
            harness.send(.started(CallID(1), feed: "songs", isEdit: true, deadline: .never)) == [
                .assign(CallID(1), WorkerID(1), earlier: 0)
            ])
        #expect(
            harness.send(.lost(WorkerID(1))) == [.assign(CallID(1), WorkerID(2), earlier: 1)])
        #expect(fail(harness.send(.lost(WorkerID(2)))) == .backendFailed)
    }

    @Test("An edit that a lost worker may have performed does not end as unavailable")
    mutating func lostWithoutAnother() {
        harness.send(.joined(WorkerID(1), feeds: ["songs"], capacity: 1, edits: true))
        harness.send(
            .started(
                CallID(1), feed: "songs", isEdit: true, deadline: Instant(milliseconds: 1000)))
        #expect(fail(harness.send(.lost(WorkerID(1)))) == nil)
        #expect(fail(harness.advance(toMs: 999)) == .backendFailed)
    }

    @Test("`cancel` is not sent for an edit")
    mutating func noCancel() {
        harness.send(.joined(WorkerID(1), feeds: ["songs"], capacity: 1, edits: true))
        harness.send(.started(CallID(1), feed: "songs", isEdit: true, deadline: .never))
        let effects = harness.pool.handled(.cancelled(CallID(1)), at: harness.now)
        #expect(effects.isEmpty)
    }

    @Test("A page in answer to an edit, and `edited` in answer to a load, are not understood")
    mutating func otherAnswers() {
        harness.send(.joined(WorkerID(1), feeds: ["songs"], capacity: 1, edits: true))
        harness.send(.started(CallID(1), feed: "songs", isEdit: true, deadline: .never))
        let page = Page(items: Array("[]".utf8), count: 0)
        #expect(
            fail(harness.send(.received(WorkerID(1), .page(CallID(1), page))))
                == .backendAnswerMalformed)
        harness.send(.joined(WorkerID(2), feeds: ["songs"], capacity: 1))
        harness.send(.started(CallID(2), feed: "songs", deadline: .never))
        #expect(
            fail(harness.send(.received(WorkerID(2), .edited(CallID(2), item: nil))))
                == .backendAnswerMalformed)
    }

    @Test("The messages of edits are read and written as documented")
    func messages() throws {
        func read(_ text: String) throws -> WorkerMessage {
            try WorkerMessageReader.read(Array(text.utf8).span)
        }
        #expect(try read(#"{"type":"edited","id":"7"}"#) == .edited(CallID(7), item: nil))
        #expect(
            try read(#"{"type":"edited","id":"7","item":{"id": 1}}"#)
                == .edited(CallID(7), item: Array(#"{"id": 1}"#.utf8)))
        #expect(throws: WorkerMessageFault(.field("item"), of: CallID(7))) {
            try read(#"{"type":"edited","id":"7","item":[1]}"#)
        }
        #expect(
            try read(#"{"type":"register","token":"t","feeds":["a"],"edits":true}"#)
                == .register(WorkerRegistration(token: "t", feeds: ["a"], edits: true)))
        let hash = SipHash(key: 1, 2)
        let operation = ItemOperation(
            .remove, ItemOperation.Key(Array("5".utf8), hashedBy: hash), hashedBy: hash)
        let call = EditCall(EditRequest(feed: "songs", operation, idempotencyKey: "edit-1"))
        let text = WorkerOrder.edit(call, id: CallID(3), attempt: 2, remainingMs: 10).text
        #expect(
            String(decoding: text, as: UTF8.self)
                == #"{"type":"edit","id":"3","key":"edit-1","attempt":2,"deadlineMs":10,"#
                + #""feed":"songs","operation":{"remove":5}}"#)
    }
}

extension WorkerPool {
    /// Returns the effects of an event.
    fileprivate func handled(_ event: Event, at now: Instant) -> [Effect] {
        var pool = self
        var effects: [Effect] = []
        pool.handle(event, at: now, into: &effects)
        return effects
    }
}
