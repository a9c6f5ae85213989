import RefreshProtocol
import Testing

@testable import RefreshBroker

/// The machine is `LoadBroker`, the state machine of the broker. Source: docs/backends.md, "Edits".
@Suite("The broker's machine: edits")
struct EditTests {
    private func order(
        _ id: UInt64, _ request: EditRequest, attempt: Int = 1, until deadline: Instant = .ms(100)
    ) -> BrokerHarness.Machine.Effect {
        .edit(EditOrder(id: CallID(id), request, attempt: attempt, deadline: deadline))
    }

    @Test("Equal edits do not share a call, and each ends once")
    func notShared() {
        var harness = BrokerHarness(.editable)
        let edit = EditRequest.insert("a")
        #expect(harness.send(.editStarted(edit, 1, deadline: .ms(100))) == [order(1, edit)])
        #expect(harness.send(.editStarted(edit, 2, deadline: .ms(100))) == [order(2, edit)])
        #expect(
            harness.send(.edited(CallID(1), .success(nil))) == [.edited(1, nil, isRepeated: false)])
        #expect(harness.send(.edited(CallID(1), .success(nil))).isEmpty, "an answer counts twice")
        #expect(
            harness.send(.edited(CallID(2), .success(nil))) == [.edited(2, nil, isRepeated: false)])
        #expect(harness.machine.isEmpty && harness.machine.nextDeadline == nil)
        #expect(harness.machine.counters.feeds["list"]?.started ?? 0 == 0, "an edit is no load")
        #expect(harness.machine.counters.lateAnswers == 1)
    }

    @Test("After a temporary failure and a pause, an edit is attempted again with the same key")
    func retry() {
        var backend = BackendPolicy()
        backend.retry.attempts = 2
        var harness = BrokerHarness(.editable, backend)
        let edit = EditRequest.insert("a", idempotencyKey: "edit-1")
        harness.send(.editStarted(edit, 1, deadline: .ms(900)))
        let failure = LoadFailure(.backendBusy, "no", retryAfterMs: 500)
        #expect(
            harness.send(.edited(CallID(1), .failure(failure))) == [
                .deliver([1], .retrying(attempt: 2, afterMs: 500, failure))
            ])
        #expect(
            harness.pass(to: .ms(500)) == [order(2, edit, attempt: 2, until: .ms(900))])
        let last = LoadFailure(.backendRejected, "no")
        #expect(harness.send(.edited(CallID(2), .failure(last))) == [.end(1, as: .failed(last))])
    }

    @Test("An edit ends at its deadline, and at the latest after `loadDeadlineMs`")
    func deadline() {
        var harness = BrokerHarness(.editable)
        harness.send(.editStarted(.insert("a"), 1, deadline: .ms(10)))
        harness.send(.editStarted(.insert("b"), 2, deadline: .ms(5000)))
        let failure = LoadFailure(.backendTimedOut, "No answer arrived in time.")
        #expect(harness.pass(to: .ms(10)) == [.editUnknown(1, failure), .abort(CallID(1))])
        #expect(harness.pass(to: .ms(1000)) == [.editUnknown(2, failure), .abort(CallID(2))])
        #expect(harness.send(.edited(CallID(1), .success(nil))).isEmpty)
        #expect(harness.send(.edited(CallID(2), .success(nil))).isEmpty)
        #expect(
            harness.send(.editStarted(.insert("c"), 3, deadline: harness.now)) == [
                .end(3, as: .timedOut)
            ])
    }

    @Test("Edits and loads share the calls and the queue of their backend")
    func queue() {
        var backend = BackendPolicy()
        backend.calls = 1
        backend.queue = 1
        var harness = BrokerHarness(.editable, backend)
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        #expect(harness.send(.editStarted(.insert("a"), 2, deadline: .ms(100))).isEmpty)
        let effects = harness.send(.editStarted(.insert("b"), 3, deadline: .ms(100)))
        guard case .deliver([3], .ended(.failed(let failure)))? = effects.first else {
            Issue.record("the queue is longer than allowed: \(effects)")
            return
        }
        #expect(failure.code == .backendBusy)
        #expect(
            harness.send(.succeeded(1)) == [.end(1, as: .page(.of(1))), order(2, .insert("a"))])
    }

    @Test("An open breaker refuses edits, and an edit can be the probe")
    func breaker() {
        var backend = BackendPolicy()
        backend.breaker.failures = 1
        backend.breaker.openMs = 50
        var harness = BrokerHarness(.editable, backend)
        harness.send(.editStarted(.insert("a"), 1, deadline: .ms(500)))
        harness.send(.edited(CallID(1), .failure(LoadFailure(.backendFailed, "no"))))
        let effects = harness.send(.editStarted(.insert("b"), 2, deadline: .ms(500)))
        guard case .deliver([2], .ended(.failed(let failure)))? = effects.first else {
            Issue.record("the breaker did not refuse the edit: \(effects)")
            return
        }
        #expect(failure.code == .backendSuspended)
        harness.pass(to: .ms(50))
        harness.send(.editStarted(.insert("c"), 3, deadline: .ms(500)))
        #expect(harness.machine.counters.backends["list"]?.breaker == .halfOpen)
        harness.send(.edited(CallID(2), .success(nil)))
        #expect(harness.machine.counters.backends["list"]?.breaker == .closed)
    }

    @Test("After an edit, cached pages and calls that began before it are outdated")
    func outdated() {
        var policy = FeedPolicy.editable
        policy.cache = .init(lifetimeMs: 1000)
        var harness = BrokerHarness(policy)
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        harness.send(.succeeded(1))
        harness.send(.editStarted(.insert("a"), 2, deadline: .ms(100)))
        #expect(
            harness.send(.requested(.page(1), 3, deadline: .ms(100), keptPages: .fresh)) == [
                .end(3, as: .page(.of(1)))
            ])
        harness.send(.edited(CallID(2), .success(nil)))
        #expect(
            harness.send(.requested(.page(1), 4, deadline: .ms(100), keptPages: .fresh)) == [
                .call(3, .page(1))
            ])
    }

    @Test("A feed without the operation, or without `itemKey`, accepts no edit")
    func notAccepted() {
        var policy = FeedPolicy.editable
        policy.edits = [.remove]
        var harness = BrokerHarness(policy)
        let refusal = LoadFailure(.backendRejected, "The feed does not accept this operation.")
        #expect(
            harness.send(.editStarted(.insert("a"), 1, deadline: .ms(100))) == [
                .end(1, as: .failed(refusal))
            ])
        #expect(
            harness.send(.editStarted(.insert("a", feed: "x"), 2, deadline: .ms(100))) == [
                .end(2, as: .failed(LoadFailure(.backendRejected, "There is no such feed.")))
            ])
    }

    @Test("When the daemon stops, all edits end as cancelled")
    func stop() {
        var harness = BrokerHarness(.editable)
        harness.send(.editStarted(.insert("a"), 1, deadline: .ms(100)))
        #expect(harness.send(.stopped) == [.end(1, as: .cancelled), .abort(CallID(1))])
        #expect(
            harness.send(.editStarted(.insert("b"), 2, deadline: .ms(100))) == [
                .end(2, as: .cancelled)
            ])
    }

    @Test("In a cluster, no other node is asked for an edit")
    func cluster() {
        var harness = BrokerHarness(.editable)
        let nodes = (1...3).map { NodeID(bits: $0) }
        harness.send(.ownersChanged(RequestOwners(own: nodes[0], live: nodes)))
        for waiter in 1...8 {
            let edit = EditRequest.insert("\(waiter)")
            #expect(
                harness.send(.editStarted(edit, waiter, deadline: .ms(100)))
                    == [order(UInt64(waiter), edit)])
        }
    }

    @Test(
        "The outcome of an edit is unknown if the backend may have performed it",
        arguments: [
            (FaultCode.backendTimedOut, true), (.backendFailed, true),
            (.backendAnswerMalformed, true), (.backendAnswerTooLarge, true),
            (.backendUnavailable, false), (.backendRejected, false), (.backendBusy, false),
            (.backendUntrusted, false),
        ])
    func unknown(code: FaultCode, isUnknown: Bool) {
        var policy = FeedPolicy.editable
        policy.cache = .init(lifetimeMs: 1000)
        var harness = BrokerHarness(policy)
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        harness.send(.succeeded(1))
        harness.send(.editStarted(.insert("a"), 2, deadline: .ms(100)))
        let failure = LoadFailure(code, "no")
        #expect(
            harness.send(.edited(CallID(2), .failure(failure)))
                == [isUnknown ? .editUnknown(2, failure) : .end(2, as: .failed(failure))])
        // The list in the cache may be older than the edit.
        let cached = harness.send(
            .requested(.page(1), 3, deadline: .ms(100), keptPages: .fresh))
        #expect(cached == (isUnknown ? [.call(3, .page(1))] : [.end(3, as: .page(.of(1)))]))
    }

    @Test("If an earlier attempt may have performed the edit, a refusal does not change that")
    func unknownAttempt() {
        var backend = BackendPolicy()
        backend.retry.attempts = 3
        var harness = BrokerHarness(.editable, backend)
        harness.send(.editStarted(.insert("a"), 1, deadline: .ms(900)))
        let lost = LoadFailure(.backendFailed, "no", retryAfterMs: 100)
        harness.send(.edited(CallID(1), .failure(lost)))
        harness.pass(to: .ms(100))
        let refusal = LoadFailure(.backendRejected, "There is such an item.")
        #expect(
            harness.send(.edited(CallID(2), .failure(refusal))) == [.editUnknown(1, refusal)])
        harness.send(.editStarted(.insert("b"), 2, deadline: .ms(900)))
        harness.send(.edited(CallID(3), .failure(lost)))
        harness.pass(to: .ms(200))
        #expect(
            harness.send(.edited(CallID(4), .success(nil))) == [.edited(2, nil, isRepeated: true)])
    }

    @Test("An edit that times out before its call was not performed")
    func timedOutInQueue() {
        var backend = BackendPolicy()
        backend.calls = 1
        var harness = BrokerHarness(.editable, backend)
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        harness.send(.editStarted(.insert("a"), 2, deadline: .ms(50)))
        #expect(harness.pass(to: .ms(50)) == [.end(2, as: .timedOut)])
    }

    @Test("The edits of a sequence are called one after another, and other edits do not wait")
    func sequence() {
        var backend = BackendPolicy()
        backend.retry.attempts = 2
        var harness = BrokerHarness(.editable, backend)
        let edits = ["a", "b", "c", "d"].map { key in
            var edit = EditRequest.insert(key)
            edit.sequence = key == "d" ? "other" : "view"
            return edit
        }
        let start = { (number: Int, deadline: Double) -> BrokerHarness.Machine.Event in
            .editStarted(edits[number], number, deadline: .ms(deadline))
        }
        #expect(harness.send(start(0, 900)) == [order(1, edits[0], until: .ms(900))])
        #expect(harness.send(start(1, 50)).isEmpty)
        #expect(harness.send(start(2, 900)).isEmpty)
        #expect(harness.send(start(3, 900)) == [order(2, edits[3], until: .ms(900))])
        // The retry of the first edit comes before the others.
        let busy = LoadFailure(.backendBusy, "no", retryAfterMs: 100)
        #expect(
            harness.send(.edited(CallID(1), .failure(busy))) == [
                .deliver([0], .retrying(attempt: 2, afterMs: 100, busy))
            ])
        #expect(harness.pass(to: .ms(50)) == [.end(1, as: .timedOut)])
        #expect(
            harness.pass(to: .ms(100)) == [order(3, edits[0], attempt: 2, until: .ms(900))])
        #expect(
            harness.send(.edited(CallID(3), .success(nil))) == [
                .edited(0, nil, isRepeated: false), order(4, edits[2], until: .ms(900)),
            ])
        harness.send(.edited(CallID(4), .success(nil)))
        harness.send(.edited(CallID(2), .success(nil)))
        #expect(harness.machine.isEmpty && harness.machine.nextDeadline == nil)
    }

    @Test("If the breaker opens, all edits of a sequence fail in their order")
    func suspendedSequence() {
        var backend = BackendPolicy()
        backend.breaker.failures = 1
        var harness = BrokerHarness(.editable, backend)
        for number in 0..<4 {
            var edit = EditRequest.insert("\(number)")
            edit.sequence = "view"
            harness.send(.editStarted(edit, number, deadline: .ms(900)))
        }
        let failure = LoadFailure(.backendFailed, "no")
        let effects = harness.send(.edited(CallID(1), .failure(failure)))
        #expect(effects.first == .editUnknown(0, failure) && effects.count == 4)
        #expect(harness.machine.isEmpty)
    }

    @Test("Too many edits that wait for an earlier one are refused")
    func tooManyWaiting() {
        var sequences = EditSequences()
        #expect(sequences.append(0, to: "a") == .begins)
        for number in 1...UInt64(EditSequences.waitingMax) {
            #expect(sequences.append(number, to: "a") == .waits)
        }
        #expect(sequences.append(9000, to: "a") == .refused)
        #expect(sequences.append(9001, to: "b") == .begins)
        #expect(sequences.append(9002, to: "b") == .refused)
        #expect(sequences.remove(5, of: "a") == nil && sequences.remove(5, of: "a") == nil)
        #expect(sequences.append(9002, to: "b") == .waits)
        #expect(sequences.remove(0, of: "a") == 1 && sequences.remove(9001, of: "b") == 9002)
        #expect(sequences.remove(9002, of: "b") == nil)
        for number in 1...UInt64(EditSequences.waitingMax) where number != 5 {
            _ = sequences.remove(number, of: "a")
        }
        #expect(sequences.isEmpty && sequences.waitingCount == 0)
    }
}
