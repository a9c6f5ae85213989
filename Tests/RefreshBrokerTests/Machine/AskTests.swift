import RefreshProtocol
import Testing

@testable import RefreshBroker

/// A load asks the owner of its request, which is another node of the cluster. If the owner does
/// not answer, the node that has asked performs the load itself.
@Suite("The broker's machine: loads that another node performs")
struct AskTests {
    private let request = LoadRequest.page(1)
    private let failure = LoadFailure(.backendFailed, "no")

    // MARK: - Asking

    @Test("Equal loads share one ask of the owner, and the owner's page reaches all waiters")
    func asking() {
        var harness = BrokerHarness.cluster()
        #expect(harness.send(.requested(request, 1, deadline: .ms(100))) == [.ask(1, request)])
        #expect(harness.machine.phase(of: request) == .asking(CallID(1), .second))
        #expect(harness.send(.requested(request, 2, deadline: .ms(100))).isEmpty)
        #expect(harness.machine.counters.asksInFlight == 1)
        #expect(harness.send(.ownerPage(1, 3)) == [.end(1, 2, as: .page(.of(3)))])
        #expect(harness.machine.isEmpty && harness.machine.nextDeadline == nil)
        let tally = harness.machine.counters.feeds["list"]
        #expect(tally?.started == 0 && tally?.joined == 1)
        #expect(tally?.asks.started == 1)
        #expect(tally?.asks.ended == [.page: 1])
    }

    @Test("A pull accepts no page of the owner's cache, and an automatic load accepts any page")
    func keptPages() {
        for (number, kept) in KeptPages.allCases.enumerated() {
            var harness = BrokerHarness.cluster()
            let effects = harness.send(
                .requested(request, number, deadline: .ms(100), keptPages: kept))
            #expect(effects == [.ask(1, request, keptPages: kept)])
        }
    }

    @Test("The request of an ask has the trigger of the load, and no subject if the feed is shared")
    func askedRequest() {
        var policy = FeedPolicy()
        policy.isShared = true
        var harness = BrokerHarness.cluster(policy)
        var asked = LoadRequest.page(1, subject: "ada")
        asked.trigger = .refreshControl
        let effects = harness.send(.requested(asked, 1, deadline: .ms(100)))
        asked.subject = nil
        #expect(effects == [.ask(1, asked)])
    }

    @Test(
        "If this node owns the request, no other node is live or the feed is not shared, it calls")
    func noAsk() {
        var policy = FeedPolicy()
        policy.isClustered = false
        var unshared = BrokerHarness.cluster(policy)
        var own = BrokerHarness.cluster(owner: .own)
        var alone = BrokerHarness.cluster()
        alone.send(.ownersChanged(nil))
        let started = BrokerHarness.Machine.Event.requested(request, 1, deadline: .ms(100))
        #expect(unshared.send(started) == [.call(1, request)])
        #expect(own.send(started) == [.call(1, request)])
        #expect(alone.send(started) == [.call(1, request)])
    }

    @Test("An ask needs no free call, and an open circuit breaker does not prevent it")
    func noGate() {
        var backend = BackendPolicy()
        backend.calls = 1
        backend.queue = 0
        backend.breaker.failures = 1
        var harness = BrokerHarness.cluster(FeedPolicy(), backend, loadsInFlightMax: 1)
        harness.send(.remote(.page(9), 1, deadline: .ms(100)))
        #expect(harness.running.count == 1)
        #expect(harness.send(.requested(request, 2, deadline: .ms(100))) == [.ask(2, request)])
        harness.send(.failed(1, .backendFailed))
        #expect(harness.machine.counters.backends["list"]?.breaker == .open)
        #expect(
            harness.send(.requested(.page(2), 3, deadline: .ms(100))) == [.ask(3, .page(2))])
        harness.send(.ownerPage(2))
        harness.send(.ownerPage(3))
        #expect(harness.machine.isEmpty)
        #expect(harness.machine.counters.backends["list"]?.breaker == .open)
    }

    @Test("Each page of a series is asked of its owner")
    func series() {
        var harness = BrokerHarness.cluster()
        let first = LoadRequest.page(1, kind: .refresh)
        let series = PageSeries(count: 2, skipped: 0, style: .page)
        harness.send(
            .started(
                BrokerRequest(first, idempotencyKey: "key", series: series), 1,
                deadline: .ms(100)))
        #expect(harness.asks.count == 2 && harness.running.isEmpty)
        for id in harness.asks.keys.sorted(by: { $0.number < $1.number }) {
            harness.send(.ownerPage(id.number, 10))
        }
        guard case .page(let page) = harness.outcomes[1] else {
            Issue.record("\(harness.outcomes)")
            return
        }
        #expect(page.parts?.pages == 2 && page.count == 20)
        #expect(harness.machine.isEmpty)
    }

    @Test("A load whose last waiter leaves or times out withdraws its ask")
    func leaving() {
        var harness = BrokerHarness.cluster()
        harness.send(.requested(request, 1, deadline: .ms(100)))
        #expect(harness.send(.waiterCancelled(1)) == [.end(1, as: .cancelled), .withdraw(1)])
        #expect(harness.machine.isEmpty)
        // The second waiter joins the ask of the first, which has a later deadline.
        harness.send(.requested(request, 2, deadline: .ms(200)))
        harness.send(.requested(request, 3, deadline: .ms(20)))
        #expect(harness.pass(to: .ms(20)) == [.end(3, as: .timedOut)])
        harness.send(.waiterCancelled(2))
        harness.send(.requested(request, 4, deadline: .ms(70)))
        harness.send(.stopped)
        #expect(harness.outcomes[4] == .cancelled)
        #expect(harness.machine.isEmpty)
        #expect(harness.askTally.ended == [.unneeded: 3])
        #expect(harness.send(.ownerPage(1)).isEmpty)
        #expect(harness.machine.counters.lateOwnerEvents == 1)
    }

    // MARK: - Events

    @Test("Progress and retries of the owner reach the waiters, progress at most every 100 ms")
    func events() {
        var harness = BrokerHarness.cluster()
        harness.send(.requested(request, 1, deadline: .ms(4000)))
        #expect(
            harness.send(.owner(.progressed(0.5), 1)) == [.deliver([1], .progressed(0.5))])
        #expect(harness.send(.owner(.progressed(0.6), 1)).isEmpty)
        #expect(harness.send(.owner(.progressed(7), 1)).isEmpty)
        #expect(harness.send(.owner(.progressed(.nan), 1)).isEmpty)
        #expect(harness.pass(to: .ms(100)) == [.deliver([1], .progressed(1))])
        #expect(
            harness.send(.owner(.retrying(attempt: 2, afterMs: 50, failure), 1))
                == [.deliver([1], .retrying(attempt: 2, afterMs: 50, failure))])
        #expect(harness.send(.owner(.waiting, 1)).isEmpty)
        #expect(harness.send(.ownerPage(1)) == [.end(1, as: .page(.of(1)))])
        #expect(harness.send(.owner(.progressed(0.5), 1)).isEmpty)
        #expect(harness.send(.ownerPage(1)).isEmpty)
        #expect(harness.machine.counters.lateOwnerEvents == 2)
        #expect(harness.machine.counters.lateProgress == 0)
    }

    @Test("A failure of the owner is final, even if the backend's calls may be retried")
    func failed() {
        var backend = BackendPolicy()
        backend.retry.attempts = 3
        var harness = BrokerHarness.cluster(FeedPolicy(), backend)
        harness.send(.requested(request, 1, deadline: .ms(100)))
        #expect(
            harness.send(.owner(.failed(failure), 1)) == [.end(1, as: .failed(failure))])
        #expect(harness.machine.isEmpty)
        #expect(harness.askTally.ended == [.failed: 1])
    }

    // MARK: - Without an answer

    @Test("After a silence of 1,000 ms, the node withdraws the ask and performs the load itself")
    func silence() {
        var harness = BrokerHarness.cluster()
        harness.send(.requested(request, 1, deadline: .ms(9000)))
        #expect(harness.pass(to: .ms(999)).isEmpty)
        harness.send(.owner(.waiting, 1))
        #expect(harness.machine.nextDeadline == .ms(1999))
        #expect(
            harness.pass(to: .ms(1999))
                == [.withdraw(1), .call(2, request, deadline: .ms(9000))])
        #expect(harness.askTally.ended == [.silent: 1])
        // The owner answers too late.
        #expect(harness.send(.ownerPage(1)).isEmpty)
        #expect(harness.machine.counters.lateOwnerEvents == 1)
        #expect(harness.send(.succeeded(2, 4)) == [.end(1, as: .page(.of(4)))])
        #expect(harness.machine.isEmpty)
    }

    @Test(
        "A page that has arrived and is being read does not end because the owner is silent or gone"
    )
    func arrivedPage() {
        var harness = BrokerHarness.cluster()
        harness.send(.requested(request, 1, deadline: .ms(9000)))
        harness.send(.ownerPageArrived(CallID(1)))
        #expect(harness.pass(to: .ms(3000)).isEmpty)
        #expect(harness.send(.ownersChanged(nil)).isEmpty)
        #expect(harness.send(.ownerPage(1)) == [.end(1, as: .page(.of(1)))])
        #expect(harness.askTally.ended == [.page: 1])
    }

    @Test("An owner whose first event does not come in half of the time is not waited for")
    func shortTime() {
        var harness = BrokerHarness.cluster()
        harness.send(.requested(request, 1, deadline: .ms(400)))
        #expect(harness.pass(to: .ms(199)).isEmpty)
        #expect(
            harness.pass(to: .ms(200)) == [.withdraw(1), .call(2, request, deadline: .ms(400))])
        #expect(harness.askTally.ended == [.silent: 1])
    }

    @Test("An owner that reports events is waited for until the deadline")
    func slowOwner() {
        var harness = BrokerHarness.cluster()
        harness.send(.requested(request, 1, deadline: .ms(3000)))
        for time in stride(from: 250.0, through: 2750, by: 250) {
            harness.advance(to: .ms(time))
            #expect(harness.send(.owner(.waiting, 1)).isEmpty)
        }
        harness.advance(to: .ms(2999))
        #expect(harness.send(.ownerPage(1)) == [.end(1, as: .page(.of(1)))])
        #expect(harness.askTally.ended == [.page: 1])
    }

    @Test("An answer counts if it arrives before the broker handles the end of the silence")
    func lateTimer() {
        var harness = BrokerHarness.cluster()
        harness.send(.requested(request, 1, deadline: .ms(9000)))
        harness.advance(to: .ms(1500))
        #expect(harness.send(.owner(.waiting, 1)).isEmpty)
        harness.advance(to: .ms(5000))
        #expect(harness.send(.ownerPage(1)) == [.end(1, as: .page(.of(1)))])
        // An event that is not the last counts too, and begins another silence.
        harness.send(.requested(.page(2), 2, deadline: .ms(6000)))
        harness.advance(to: .ms(5600))
        #expect(harness.send(.owner(.waiting, 2)).isEmpty)
        #expect(
            harness.pass(to: .ms(6000)) == [.end(2, as: .timedOut), .withdraw(2)])
    }

    @Test(
        "If the owner refuses, the node performs the load at once", arguments: OwnerRefusal.allCases
    )
    func refused(refusal: OwnerRefusal) {
        var harness = BrokerHarness.cluster()
        harness.send(.requested(request, 1, deadline: .ms(100)))
        #expect(harness.send(.owner(.refused(refusal), 1)) == [.call(2, request)])
        #expect(harness.askTally.ended == [.refused: 1])
        harness.send(.succeeded(2))
        #expect(harness.machine.isEmpty)
    }

    @Test("A load that the node performs after an ask is queued, retried and refused like others")
    func ownPath() {
        var backend = BackendPolicy()
        backend.calls = 1
        backend.queue = 1
        backend.retry.attempts = 2
        backend.retry.baseMs = 1
        backend.retry.capMs = 1
        var harness = BrokerHarness.cluster(FeedPolicy(), backend)
        for page in 1...3 {
            harness.send(.requested(.page(page), page, deadline: .ms(100)))
        }
        #expect(harness.send(.owner(.refused(.busy), 1)) == [.call(4, .page(1))])
        #expect(harness.send(.owner(.refused(.busy), 2)).isEmpty)
        #expect(harness.machine.phase(of: .page(2)) == .queued)
        harness.send(.owner(.refused(.busy), 3))
        guard case .failed(let busy) = harness.outcomes[3] else {
            Issue.record("\(harness.outcomes)")
            return
        }
        #expect(busy.code == .backendBusy)
        harness.send(.failed(4, .backendFailed))
        harness.send(.succeeded(5))
        // The retry is a call of this node too.
        harness.pass(to: .ms(1))
        #expect(harness.running[CallID(6)]?.attempt == 2 && harness.asks.isEmpty)
        harness.send(.succeeded(6))
        #expect(harness.machine.isEmpty)
    }

    // MARK: - Owners that vanish

    @Test("If the asked node vanishes, the new owner is asked, but no node twice")
    func vanished() {
        var harness = BrokerHarness.cluster()
        harness.send(.requested(request, 1, deadline: .ms(100), keptPages: .none))
        harness.advance(to: .ms(20))
        #expect(
            harness.send(.ownersChanged(.list(ownedBy: .third, live: [.own, .third])))
                == [.withdraw(1), .ask(2, request, of: .third, keptPages: .none)])
        // Half of the remaining time.
        #expect(harness.machine.nextDeadline == .ms(60))
        #expect(
            harness.send(.ownersChanged(.list(ownedBy: .second, live: [.own, .second])))
                == [.withdraw(2, from: .third), .call(3, request)])
        #expect(harness.askTally.ended == [.gone: 2])
        #expect(harness.send(.ownerPage(2)).isEmpty)
        harness.send(.succeeded(3))
        #expect(harness.machine.isEmpty)
    }

    @Test("If no other node is live or this node is the new owner, it performs the load itself")
    func alone() {
        for owners in [nil, RequestOwners.list(ownedBy: .own, live: [.own, .third])] {
            var harness = BrokerHarness.cluster()
            harness.send(.requested(request, 1, deadline: .ms(100)))
            #expect(harness.send(.ownersChanged(owners)) == [.withdraw(1), .call(2, request)])
        }
    }

    @Test("An ask continues while the asked node is live, even if another node is the owner now")
    func stillLive() {
        var harness = BrokerHarness.cluster()
        harness.send(.requested(request, 1, deadline: .ms(100)))
        #expect(harness.send(.ownersChanged(.list(ownedBy: .third))).isEmpty)
        #expect(
            harness.send(.requested(.page(2), 2, deadline: .ms(100)))
                == [.ask(2, .page(2), of: .third)])
        #expect(harness.send(.ownerPage(1)) == [.end(1, as: .page(.of(1)))])
    }
}
