import RefreshProtocol
import Testing

@testable import RefreshBroker

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

    @Test("After a temporary failure, the load is retried with the same key after a pause")
    func retry() {
        var world = BrokerWorld(FeedPolicy(), policy { $0.retry.attempts = 2 })
        world.send(.asked(.page(1), 1, deadline: .ms(10_000)))
        world.send(.asked(.page(1), 2, deadline: .ms(20_000)))
        let asksForTime = LoadFailure(.backendFailed, "no", retryAfterMs: 500)
        let effects = world.send(.failed(1, .backendFailed, retryAfterMs: 500))
        #expect(
            effects == [.deliver([1, 2], .retrying(attempt: 2, afterMs: 500, asksForTime))])
        #expect(world.machine.callsInFlight == 0, "while it pauses it holds no call")
        #expect(world.machine.nextDeadline == .ms(500))
        #expect(world.send(.asked(.page(1), 3, deadline: .ms(900))).isEmpty, "a pause is joined")
        #expect(
            world.pass(to: .ms(500)) == [
                .call(2, .page(1), attempt: 2, deadline: .ms(20_000))
            ])
        #expect(
            world.send(.failed(2, .backendFailed)) == [.end(1, 2, 3, as: .failed(failure))])
        let tally = world.machine.counters.backends["list"]
        #expect(tally?.retries == 1)
        #expect(world.machine.counters.feeds["list"]?.started == 2)
        #expect(world.machine.counters.feeds["list"]?.ended == [.failed: 2])
    }

    @Test(
        "A permanent failure, or a pause beyond the deadline, causes no retry",
        arguments: [
            (FaultCode.backendRejected, 0), (.backendAnswerMalformed, 0), (.backendUntrusted, 0),
            (.backendFailed, 100), (.backendBusy, 5000), (.backendFailed, .max),
        ])
    func noRetry(code: FaultCode, retryAfterMs: Int) {
        var world = BrokerWorld(FeedPolicy(), policy { $0.retry.attempts = 5 })
        world.send(.asked(.page(1), 1, deadline: .ms(100)))
        let effects = world.send(.failed(1, code, retryAfterMs: retryAfterMs))
        let failure = LoadFailure(code, "no", retryAfterMs: retryAfterMs)
        #expect(effects == [.end(1, as: .failed(failure))])
    }

    @Test("If the last waiter leaves in the pause, the load ends")
    func leaveInPause() {
        var world = BrokerWorld(FeedPolicy(), policy { $0.retry.attempts = 2 })
        world.send(.asked(.page(1), 1, deadline: .ms(10_000)))
        world.send(.failed(1, .backendFailed, retryAfterMs: 500))
        #expect(world.send(.waiterCancelled(1)) == [.end(1, as: .cancelled)])
        #expect(world.machine.nextDeadline == nil)
        #expect(world.machine.isEmpty)
    }

    @Test("If the retry budget is exhausted, a failure is delivered at once")
    func budget() {
        var world = BrokerWorld(
            FeedPolicy(),
            policy {
                $0.retry.attempts = 2
                $0.retry.baseMs = 1
                $0.retry.budgetPercent = 0
            })
        for number in 0..<11 {
            world.send(.asked(.page(number), number, deadline: .ms(1_000_000)))
            let call = UInt64(world.running.keys.first?.number ?? 0)
            world.send(.failed(call, .backendFailed, retryAfterMs: 10))
            world.pass(to: world.now.advanced(byMilliseconds: 20.0))
            for id in world.running.keys { world.send(.failed(id.number, .backendFailed)) }
        }
        let tally = world.machine.counters.backends["list"]
        #expect(tally?.retries == 10)
        #expect(tally?.retriesRefused == 1)
    }

    @Test("While the breaker is open, loads fail at once, and later one probe may run")
    func breaker() {
        var world = BrokerWorld(
            FeedPolicy(),
            policy {
                $0.breaker.failures = 2
                $0.breaker.openMs = 1000
            })
        for number in 1...2 {
            world.send(.asked(.page(number), number, deadline: .ms(10_000)))
            world.send(.failed(UInt64(number), .backendUnavailable))
        }
        world.advance(to: .ms(400))
        #expect(
            world.send(.asked(.page(3), 3, deadline: .ms(10_000))) == [
                .end(3, as: suspended(600))
            ])
        world.advance(to: .ms(1000))
        #expect(
            world.send(.asked(.page(4), 4, deadline: .ms(10_000))) == [
                .call(3, .page(4), deadline: .ms(10_000))
            ])
        #expect(
            world.send(.asked(.page(5), 5, deadline: .ms(10_000))) == [
                .end(5, as: suspended(nil))
            ])
        #expect(world.machine.counters.backends["list"]?.breaker == .halfOpen)
        // Any answer of the backend closes the breaker.
        world.send(.failed(3, .backendRejected))
        #expect(world.machine.counters.backends["list"]?.breaker == .closed)
        world.send(.asked(.page(5), 6, deadline: .ms(10_000)))
        #expect(world.running.count == 1)
        #expect(world.machine.counters.backends["list"]?.suspended == 2)
        #expect(world.machine.counters.backends["list"]?.timesOpened == 1)
    }

    @Test("For the breaker, a timeout is a failure, and a cancelled call has no effect")
    func breakerDeadline() {
        var world = BrokerWorld(FeedPolicy(), policy { $0.breaker.failures = 1 })
        world.send(.asked(.page(1), 1, deadline: .ms(100)))
        world.send(.waiterCancelled(1))
        world.send(.failed(1, .backendFailed))
        #expect(world.machine.counters.backends["list"]?.breaker == .closed)
        world.send(.asked(.page(1), 2, deadline: .ms(500)))
        world.pass(to: .ms(500))
        #expect(world.machine.counters.backends["list"]?.breaker == .open)
    }

    @Test(
        "For the breaker, a timeout by the last waiter's own clock is also a failure")
    func breakerOwnDeadline() {
        var world = BrokerWorld(FeedPolicy(), policy { $0.breaker.failures = 1 })
        world.send(.asked(.page(1), 1, deadline: .ms(600)))
        world.send(.asked(.page(1), 2, deadline: .ms(600)))
        world.advance(to: .ms(599))
        #expect(world.send(.waiterCancelled(1, because: .outOfTime)) == [.end(1, as: .timedOut)])
        #expect(world.machine.counters.backends["list"]?.breaker == .closed)
        #expect(
            world.send(.waiterCancelled(2, because: .outOfTime)) == [
                .end(2, as: .timedOut), .abort(CallID(1)),
            ])
        #expect(world.machine.counters.backends["list"]?.breaker == .open)
        #expect(world.machine.counters.feeds["list"]?.ended == [.timedOut: 1])
        // The waiter's deadline in the broker has no effect any more.
        #expect(world.pass(to: .ms(600)).isEmpty)
    }

    @Test("A timeout because of a client's very short deadline does not open the breaker")
    func breakerHastyClient() {
        var world = BrokerWorld(FeedPolicy(), policy { $0.breaker.failures = 1 })
        for waiter in 1...3 {
            let now = Double(waiter * 10)
            world.advance(to: .ms(now))
            world.send(.asked(.page(waiter), waiter, deadline: .ms(now + 1)))
            world.pass(to: .ms(now + 1))
            #expect(world.outcomes[waiter] == .timedOut)
        }
        #expect(world.machine.counters.backends["list"]?.breaker == .closed)
        #expect(world.machine.counters.feeds["list"]?.ended == [.timedOut: 3])
    }

    @Test("A cancelled probe blocks other calls until it has returned")
    func cancelledProbe() {
        var world = BrokerWorld(
            FeedPolicy(),
            policy {
                $0.breaker.failures = 1
                $0.breaker.openMs = 10
            })
        world.send(.asked(.page(1), 1, deadline: .ms(100)))
        world.send(.failed(1, .backendFailed))
        world.advance(to: .ms(10))
        world.send(.asked(.page(1), 2, deadline: .ms(100)))
        world.send(.waiterCancelled(2))
        let meanwhile = world.send(.asked(.page(1), 3, deadline: .ms(100)))
        #expect(meanwhile == [.end(3, as: suspended(nil))])
        world.send(.failed(2, .backendFailed))
        #expect(world.send(.asked(.page(1), 4, deadline: .ms(100))) == [.call(3, .page(1))])
    }

    @Test("When the breaker opens, all queued loads fail at once")
    func queueSuspended() {
        var world = BrokerWorld(
            FeedPolicy(),
            policy {
                $0.calls = 1
                $0.breaker.failures = 1
                $0.breaker.openMs = 10
            })
        for number in 1...3 { world.send(.asked(.page(number), number, deadline: .ms(100))) }
        #expect(
            world.send(.failed(1, .backendFailed)) == [
                .end(1, as: .failed(failure)), .end(2, as: suspended(10)),
                .end(3, as: suspended(10)),
            ])
    }

    @Test("Queued loads get calls in order, and a load without waiters leaves the queue")
    func queue() {
        var world = BrokerWorld(
            FeedPolicy(),
            policy {
                $0.calls = 1
                $0.queue = 2
            })
        for number in 1...3 { world.send(.asked(.page(number), number, deadline: .ms(100))) }
        #expect(world.machine.phase(of: .page(2)) == .queued)
        #expect(world.machine.counters.backends["list"]?.queued == 2)
        let busy = LoadFailure(
            .backendBusy, "All 1 calls of the backend are in use; 2 loads wait for one.")
        #expect(
            world.send(.asked(.page(4), 4, deadline: .ms(100))) == [.end(4, as: .failed(busy))])
        #expect(
            world.send(.asked(.page(2), 5, deadline: .ms(100))).isEmpty, "joining needs no room")
        world.send(.waiterCancelled(3))
        #expect(world.send(.asked(.page(4), 6, deadline: .ms(300))).isEmpty)
        #expect(
            world.send(.succeeded(1)) == [.end(1, as: .page(.of(1))), .call(2, .page(2))])
        world.send(.waiterCancelled(2))
        world.send(.waiterCancelled(5))
        #expect(world.machine.phase(of: .page(4)) == .queued, "an aborted call keeps its room")
        #expect(
            world.send(.failed(2, .backendFailed)) == [
                .call(3, .page(4), deadline: .ms(300))
            ])
        #expect(world.machine.counters.backends["list"]?.shed == 1)
        #expect(world.machine.counters.feeds["list"]?.refused == 1)
    }

    @Test("A load that times out in the queue starts no call")
    func queueDeadline() {
        var world = BrokerWorld(FeedPolicy(), policy { $0.calls = 1 })
        world.send(.asked(.page(1), 1, deadline: .ms(100)))
        world.send(.asked(.page(2), 2, deadline: .ms(50)))
        #expect(world.pass(to: .ms(50)) == [.end(2, as: .timedOut)])
        #expect(world.send(.succeeded(1)) == [.end(1, as: .page(.of(1)))])
        #expect(world.machine.isEmpty)
    }

    @Test("A retry waits in the queue like a new load")
    func retryQueues() {
        var world = BrokerWorld(
            FeedPolicy(),
            policy {
                $0.calls = 1
                $0.retry.attempts = 2
            })
        world.send(.asked(.page(1), 1, deadline: .ms(1000)))
        world.send(.asked(.page(2), 2, deadline: .ms(1000)))
        #expect(
            world.send(.failed(1, .backendFailed, retryAfterMs: 200)).last
                == .call(2, .page(2), deadline: .ms(1000)), "the pause holds no call")
        #expect(world.pass(to: .ms(200)).isEmpty)
        #expect(world.machine.phase(of: .page(1)) == .queued)
        #expect(
            world.send(.succeeded(2)).last
                == .call(3, .page(1), attempt: 2, deadline: .ms(1000)))
    }

    @Test("A call that exceeds its deadline is retried for waiters with a later deadline")
    func overrun() {
        var world = BrokerWorld(
            FeedPolicy(),
            policy {
                $0.retry.attempts = 2
                $0.retry.capMs = 1
            })
        world.send(.asked(.page(1), 1, deadline: .ms(100)))
        world.send(.asked(.page(1), 2, deadline: .ms(500)))
        let first = world.pass(to: .ms(100))
        #expect(first.prefix(2) == [.end(1, as: .timedOut), .abort(CallID(1))])
        world.pass(to: .ms(102))
        #expect(world.running[CallID(2)]?.attempt == 2)
        #expect(world.running[CallID(2)]?.deadline == .ms(500))
        // The first call answered in spite of its cancellation.
        #expect(world.send(.succeeded(1)).isEmpty)
        #expect(world.send(.succeeded(2, 2)) == [.end(2, as: .page(.of(2)))])
        #expect(world.machine.isEmpty)
        #expect(world.machine.counters.feeds["list"]?.ended == [.timedOut: 1, .success: 1])
    }

    @Test("Stopping also ends loads in the queue and in a pause")
    func stopping() {
        var world = BrokerWorld(
            FeedPolicy(),
            policy {
                $0.calls = 1
                $0.retry.attempts = 2
            })
        world.send(.asked(.page(1), 1, deadline: .ms(1000)))
        world.send(.failed(1, .backendFailed, retryAfterMs: 200))
        world.send(.asked(.page(2), 2, deadline: .ms(1000)))
        world.send(.asked(.page(3), 3, deadline: .ms(1000)))
        #expect(
            world.send(.stopped) == [
                .end(1, as: .cancelled), .end(2, as: .cancelled), .abort(CallID(2)),
                .end(3, as: .cancelled),
            ])
        world.send(.failed(2, .backendFailed))
        #expect(world.machine.isEmpty)
        #expect(world.machine.nextDeadline == nil)
    }
}
