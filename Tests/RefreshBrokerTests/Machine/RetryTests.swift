import RefreshProtocol
import Testing

@testable import RefreshBroker

/// The machine is `LoadBroker`, the state machine of the broker. A waiter is a session's load that
/// waits for an answer. An open breaker prevents calls of a failing backend for some time. The
/// first call after this time is a probe. Source: docs/backends.md, "Retries" and "Circuit
/// breaker".
@Suite("The broker's machine: retries, breaker, queue")
struct RetryTests {
    private func policy(_ change: (inout BackendPolicy) -> Void) -> BackendPolicy {
        var policy = BackendPolicy()
        change(&policy)
        return policy
    }

    private let failure = LoadFailure(.backendFailed, "no")

    private func suspended(_ retryAfterMs: Int?) -> LoadOutcome {
        .failed(
            LoadFailure(
                .backendSuspended,
                "The backend failed too often; calls to it are suspended for a while.",
                retryAfterMs: retryAfterMs))
    }

    @Test("After a temporary failure and a pause, the load is retried with its idempotency key")
    func retry() {
        var harness = BrokerHarness(FeedPolicy(), policy { $0.retry.attempts = 2 })
        harness.send(.requested(.page(1), 1, deadline: .ms(10_000)))
        harness.send(.requested(.page(1), 2, deadline: .ms(20_000)))
        let delayedFailure = LoadFailure(.backendFailed, "no", retryAfterMs: 500)
        let effects = harness.send(.failed(1, .backendFailed, retryAfterMs: 500))
        #expect(
            effects == [.deliver([1, 2], .retrying(attempt: 2, afterMs: 500, delayedFailure))])
        #expect(harness.machine.callsInFlight == 0, "a pausing load occupies a call")
        #expect(harness.machine.nextDeadline == .ms(500))
        #expect(
            harness.send(.requested(.page(1), 3, deadline: .ms(900))).isEmpty,
            "a request does not join the load during its pause")
        #expect(
            harness.pass(to: .ms(500)) == [
                .call(2, .page(1), attempt: 2, deadline: .ms(20_000))
            ])
        #expect(
            harness.send(.failed(2, .backendFailed)) == [.end(1, 2, 3, as: .failed(failure))])
        let tally = harness.machine.counters.backends["list"]
        #expect(tally?.retries == 1)
        #expect(harness.machine.counters.feeds["list"]?.started == 2)
        #expect(harness.machine.counters.feeds["list"]?.ended == [.failed: 2])
    }

    @Test(
        "A permanent failure, or a pause beyond the deadline, causes no retry",
        arguments: [
            (FaultCode.backendRejected, 0), (.backendAnswerMalformed, 0), (.backendUntrusted, 0),
            (.backendFailed, 100), (.backendBusy, 5000), (.backendFailed, .max),
        ])
    func noRetry(code: FaultCode, retryAfterMs: Int) {
        var harness = BrokerHarness(FeedPolicy(), policy { $0.retry.attempts = 5 })
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        let effects = harness.send(.failed(1, code, retryAfterMs: retryAfterMs))
        let failure = LoadFailure(code, "no", retryAfterMs: retryAfterMs)
        #expect(effects == [.end(1, as: .failed(failure))])
    }

    @Test("If the last waiter leaves during the pause before a retry, the load ends")
    func leaveInPause() {
        var harness = BrokerHarness(FeedPolicy(), policy { $0.retry.attempts = 2 })
        harness.send(.requested(.page(1), 1, deadline: .ms(10_000)))
        harness.send(.failed(1, .backendFailed, retryAfterMs: 500))
        #expect(harness.send(.waiterCancelled(1)) == [.end(1, as: .cancelled)])
        #expect(harness.machine.nextDeadline == nil)
        #expect(harness.machine.isEmpty)
    }

    @Test("If the retry budget is exhausted, a failure is delivered at once")
    func budget() {
        var harness = BrokerHarness(
            FeedPolicy(),
            policy {
                $0.retry.attempts = 2
                $0.retry.baseMs = 1
                $0.retry.budgetPercent = 0
            })
        for number in 0..<11 {
            harness.send(.requested(.page(number), number, deadline: .ms(1_000_000)))
            let call = UInt64(harness.running.keys.first?.number ?? 0)
            harness.send(.failed(call, .backendFailed, retryAfterMs: 10))
            harness.pass(to: harness.now.advanced(byMilliseconds: 20.0))
            for id in harness.running.keys { harness.send(.failed(id.number, .backendFailed)) }
        }
        let tally = harness.machine.counters.backends["list"]
        #expect(tally?.retries == 10)
        #expect(tally?.retriesRefused == 1)
    }

    @Test("While the breaker is open, loads fail at once, and later one probe may run")
    func breaker() {
        var harness = BrokerHarness(
            FeedPolicy(),
            policy {
                $0.breaker.failures = 2
                $0.breaker.openMs = 1000
            })
        for number in 1...2 {
            harness.send(.requested(.page(number), number, deadline: .ms(10_000)))
            harness.send(.failed(UInt64(number), .backendUnavailable))
        }
        harness.advance(to: .ms(400))
        #expect(
            harness.send(.requested(.page(3), 3, deadline: .ms(10_000))) == [
                .end(3, as: suspended(600))
            ])
        harness.advance(to: .ms(1000))
        #expect(
            harness.send(.requested(.page(4), 4, deadline: .ms(10_000))) == [
                .call(3, .page(4), deadline: .ms(10_000))
            ])
        #expect(
            harness.send(.requested(.page(5), 5, deadline: .ms(10_000))) == [
                .end(5, as: suspended(nil))
            ])
        #expect(harness.machine.counters.backends["list"]?.breaker == .halfOpen)
        // Any answer of the backend closes the breaker.
        harness.send(.failed(3, .backendRejected))
        #expect(harness.machine.counters.backends["list"]?.breaker == .closed)
        harness.send(.requested(.page(5), 6, deadline: .ms(10_000)))
        #expect(harness.running.count == 1)
        #expect(harness.machine.counters.backends["list"]?.suspended == 2)
        #expect(harness.machine.counters.backends["list"]?.timesOpened == 1)
    }

    @Test("For the breaker, a timeout is a failure, and a cancelled call has no effect")
    func breakerDeadline() {
        var harness = BrokerHarness(FeedPolicy(), policy { $0.breaker.failures = 1 })
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        harness.send(.waiterCancelled(1))
        harness.send(.failed(1, .backendFailed))
        #expect(harness.machine.counters.backends["list"]?.breaker == .closed)
        harness.send(.requested(.page(1), 2, deadline: .ms(500)))
        harness.pass(to: .ms(500))
        #expect(harness.machine.counters.backends["list"]?.breaker == .open)
    }

    @Test(
        "The breaker also counts a failure if the last waiter leaves because its time is over")
    func breakerOwnDeadline() {
        var harness = BrokerHarness(FeedPolicy(), policy { $0.breaker.failures = 1 })
        harness.send(.requested(.page(1), 1, deadline: .ms(600)))
        harness.send(.requested(.page(1), 2, deadline: .ms(600)))
        harness.advance(to: .ms(599))
        #expect(harness.send(.waiterCancelled(1, because: .outOfTime)) == [.end(1, as: .timedOut)])
        #expect(harness.machine.counters.backends["list"]?.breaker == .closed)
        #expect(
            harness.send(.waiterCancelled(2, because: .outOfTime)) == [
                .end(2, as: .timedOut), .abort(CallID(1)),
            ])
        #expect(harness.machine.counters.backends["list"]?.breaker == .open)
        #expect(harness.machine.counters.feeds["list"]?.ended == [.timedOut: 1])
        // The waiter's deadline in the broker then has no effect.
        #expect(harness.pass(to: .ms(600)).isEmpty)
    }

    @Test("A timeout because of a client's very short deadline does not open the breaker")
    func breakerHastyClient() {
        var harness = BrokerHarness(FeedPolicy(), policy { $0.breaker.failures = 1 })
        for waiter in 1...3 {
            let now = Double(waiter * 10)
            harness.advance(to: .ms(now))
            harness.send(.requested(.page(waiter), waiter, deadline: .ms(now + 1)))
            harness.pass(to: .ms(now + 1))
            #expect(harness.outcomes[waiter] == .timedOut)
        }
        #expect(harness.machine.counters.backends["list"]?.breaker == .closed)
        #expect(harness.machine.counters.feeds["list"]?.ended == [.timedOut: 3])
    }

    @Test("A cancelled probe blocks other calls until it has returned")
    func cancelledProbe() {
        var harness = BrokerHarness(
            FeedPolicy(),
            policy {
                $0.breaker.failures = 1
                $0.breaker.openMs = 10
            })
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        harness.send(.failed(1, .backendFailed))
        harness.advance(to: .ms(10))
        harness.send(.requested(.page(1), 2, deadline: .ms(100)))
        harness.send(.waiterCancelled(2))
        let meanwhile = harness.send(.requested(.page(1), 3, deadline: .ms(100)))
        #expect(meanwhile == [.end(3, as: suspended(nil))])
        harness.send(.failed(2, .backendFailed))
        #expect(harness.send(.requested(.page(1), 4, deadline: .ms(100))) == [.call(3, .page(1))])
    }

    @Test("When the breaker opens, all queued loads fail at once")
    func queueSuspended() {
        var harness = BrokerHarness(
            FeedPolicy(),
            policy {
                $0.calls = 1
                $0.breaker.failures = 1
                $0.breaker.openMs = 10
            })
        for number in 1...3 { harness.send(.requested(.page(number), number, deadline: .ms(100))) }
        #expect(
            harness.send(.failed(1, .backendFailed)) == [
                .end(1, as: .failed(failure)), .end(2, as: suspended(10)),
                .end(3, as: suspended(10)),
            ])
    }

    @Test("Queued loads get calls in order, and a load without waiters leaves the queue")
    func queue() {
        var harness = BrokerHarness(
            FeedPolicy(),
            policy {
                $0.calls = 1
                $0.queue = 2
            })
        for number in 1...3 { harness.send(.requested(.page(number), number, deadline: .ms(100))) }
        #expect(harness.machine.phase(of: .page(2)) == .queued)
        #expect(harness.machine.counters.backends["list"]?.queued == 2)
        let busy = LoadFailure(
            .backendBusy,
            "The backend has no free call (`calls` is 1), and its queue is full (`queue` is 2).")
        #expect(
            harness.send(.requested(.page(4), 4, deadline: .ms(100))) == [
                .end(4, as: .failed(busy))
            ])
        #expect(
            harness.send(.requested(.page(2), 5, deadline: .ms(100))).isEmpty,
            "a request needs a free place to join a load")
        harness.send(.waiterCancelled(3))
        #expect(harness.send(.requested(.page(4), 6, deadline: .ms(300))).isEmpty)
        #expect(
            harness.send(.succeeded(1)) == [.end(1, as: .page(.of(1))), .call(2, .page(2))])
        harness.send(.waiterCancelled(2))
        harness.send(.waiterCancelled(5))
        #expect(
            harness.machine.phase(of: .page(4)) == .queued,
            "an aborted call has already freed its place")
        #expect(
            harness.send(.failed(2, .backendFailed)) == [
                .call(3, .page(4), deadline: .ms(300))
            ])
        #expect(harness.machine.counters.backends["list"]?.shed == 1)
        #expect(harness.machine.counters.feeds["list"]?.refused == 1)
    }

    @Test("A load that times out in the queue starts no call")
    func queueDeadline() {
        var harness = BrokerHarness(FeedPolicy(), policy { $0.calls = 1 })
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        harness.send(.requested(.page(2), 2, deadline: .ms(50)))
        #expect(harness.pass(to: .ms(50)) == [.end(2, as: .timedOut)])
        #expect(harness.send(.succeeded(1)) == [.end(1, as: .page(.of(1)))])
        #expect(harness.machine.isEmpty)
    }

    @Test("A retry waits in the queue like a new load")
    func retryQueues() {
        var harness = BrokerHarness(
            FeedPolicy(),
            policy {
                $0.calls = 1
                $0.retry.attempts = 2
            })
        harness.send(.requested(.page(1), 1, deadline: .ms(1000)))
        harness.send(.requested(.page(2), 2, deadline: .ms(1000)))
        #expect(
            harness.send(.failed(1, .backendFailed, retryAfterMs: 200)).last
                == .call(2, .page(2), deadline: .ms(1000)), "a pausing load occupies a call")
        #expect(harness.pass(to: .ms(200)).isEmpty)
        #expect(harness.machine.phase(of: .page(1)) == .queued)
        #expect(
            harness.send(.succeeded(2)).last
                == .call(3, .page(1), attempt: 2, deadline: .ms(1000)))
    }

    @Test("A call that exceeds its deadline is retried for waiters with a later deadline")
    func overrun() {
        var harness = BrokerHarness(
            FeedPolicy(),
            policy {
                $0.retry.attempts = 2
                $0.retry.capMs = 1
            })
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        harness.send(.requested(.page(1), 2, deadline: .ms(500)))
        let first = harness.pass(to: .ms(100))
        #expect(first.prefix(2) == [.end(1, as: .timedOut), .abort(CallID(1))])
        harness.pass(to: .ms(102))
        #expect(harness.running[CallID(2)]?.attempt == 2)
        #expect(harness.running[CallID(2)]?.deadline == .ms(500))
        // The backend answers the first call, although this call is cancelled.
        #expect(harness.send(.succeeded(1)).isEmpty)
        #expect(harness.send(.succeeded(2, 2)) == [.end(2, as: .page(.of(2)))])
        #expect(harness.machine.isEmpty)
        #expect(harness.machine.counters.feeds["list"]?.ended == [.timedOut: 1, .success: 1])
    }

    @Test("Stopping also ends loads that are in the queue or in the pause before a retry")
    func stopping() {
        var harness = BrokerHarness(
            FeedPolicy(),
            policy {
                $0.calls = 1
                $0.retry.attempts = 2
            })
        harness.send(.requested(.page(1), 1, deadline: .ms(1000)))
        harness.send(.failed(1, .backendFailed, retryAfterMs: 200))
        harness.send(.requested(.page(2), 2, deadline: .ms(1000)))
        harness.send(.requested(.page(3), 3, deadline: .ms(1000)))
        #expect(
            harness.send(.stopped) == [
                .end(1, as: .cancelled), .end(2, as: .cancelled), .abort(CallID(2)),
                .end(3, as: .cancelled),
            ])
        harness.send(.failed(2, .backendFailed))
        #expect(harness.machine.isEmpty)
        #expect(harness.machine.nextDeadline == nil)
    }
}
