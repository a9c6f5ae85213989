import RefreshProtocol
import Testing

@testable import RefreshBroker

/// The machine is `LoadBroker`, the state machine of the broker. A waiter is a session's load that
/// waits for an answer. A call is abandoned if its answer is no longer needed. It still counts as
/// running until the backend answers.
@Suite("The broker's machine: shared calls")
struct LoadBrokerTests {
    private let busy = LoadOutcome.failed(
        LoadFailure(.backendBusy, "No backend call is free (`loadsInFlightMax` is 2)."))
    private let failure = LoadFailure(.backendFailed, "no")

    @Test("The request of a single waiter starts one call, and the waiter receives its page")
    func loneWaiter() {
        var harness = BrokerHarness()
        let effects = harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        #expect(effects == [.call(1, .page(1))])
        #expect(harness.machine.nextDeadline == .ms(100))
        let answer = harness.send(.answered(CallID(1), .success(.of(3))))
        #expect(answer == [.end(1, as: .page(.of(3)))])
        #expect(harness.machine.callsInFlight == 0)
        #expect(harness.machine.counters.feeds["list"]?.ended == [.success: 1])
    }

    @Test("Equal requests share a call, and all waiters get the answer in order of arrival")
    func sharing() {
        var harness = BrokerHarness()
        harness.send(.requested(.page(1), 3, deadline: .ms(100)))
        #expect(harness.send(.requested(.page(1), 1, deadline: .ms(100))).isEmpty)
        #expect(harness.send(.requested(.page(1), 2, deadline: .ms(90))).isEmpty)
        let effects = harness.send(.answered(CallID(1), .failure(failure)))
        #expect(
            effects == [.end(3, 1, 2, as: .failed(failure))])
        let tally = harness.machine.counters.feeds["list"]
        #expect(tally?.started == 1)
        #expect(tally?.joined == 2)
        #expect(tally?.ended == [.failed: 1])
    }

    @Test("Requests that differ in any field start separate calls")
    func differences() {
        var base = LoadRequest.page(1)
        base.cursor = "a"
        var others: [LoadRequest] = Array(repeating: base, count: 9)
        others[0].feed = "other"
        others[1].kind = .refresh
        others[2].page = 2
        others[3].offset = 1
        others[4].size = 11
        others[5].cursor = nil
        others[6].parameters = [LoadParameter(name: "q", value: .text("x"))]
        others[7].headers = [HeaderField(name: "accept-language", value: "de")]
        others[8].subject = "ada"
        var harness = BrokerHarness(loadsInFlightMax: 20)
        for (waiter, request) in ([base] + others).enumerated() {
            harness.send(.requested(request, waiter, deadline: .ms(100)))
        }
        #expect(harness.running.count == 10)
    }

    @Test("Loads that differ only in the trigger share a call, and it has the first load's trigger")
    func triggers() {
        var policy = FeedPolicy()
        policy.cache = .init(lifetimeMs: 1000)
        policy.coolDownMs = 50
        var harness = BrokerHarness(policy)
        var pulled = LoadRequest.page(1, kind: .refresh)
        pulled.trigger = .refreshControl
        let request = LoadRequest.page(1, kind: .refresh)
        #expect(
            harness.send(.requested(pulled, 1, deadline: .ms(100), keptPages: .none)) == [
                .call(1, pulled)
            ])
        #expect(harness.send(.requested(request, 2, deadline: .ms(100), keptPages: .none)).isEmpty)
        #expect(harness.send(.succeeded(1, 1)) == [.end(1, 2, as: .page(.of(1)))])
        // The newest answer is returned during the cool-down, and later from the cache, for any
        // trigger.
        let cool = harness.send(.requested(request, 3, deadline: .ms(100), keptPages: .none))
        #expect(cool == [.end(3, as: .page(.of(1)))])
        harness.advance(to: .ms(60))
        let again = harness.send(.requested(request, 4, deadline: .ms(100), keptPages: .none))
        #expect(again == [.call(2, request)])
        harness.send(.succeeded(2, 2))
        #expect(
            harness.send(.requested(pulled, 5, deadline: .ms(100))) == [.end(5, as: .page(.of(2)))])
    }

    @Test("Without a cache policy, a request after the answer starts a new call")
    func noCache() {
        var harness = BrokerHarness()
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        harness.send(.answered(CallID(1), .success(.of(1))))
        let effects = harness.send(.requested(.page(1), 2, deadline: .ms(100)))
        #expect(effects == [.call(2, .page(1))])
    }

    @Test("A waiter that leaves receives cancelled, and the call continues for the others")
    func leaving() {
        var harness = BrokerHarness()
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        harness.send(.requested(.page(1), 2, deadline: .ms(100)))
        #expect(harness.send(.waiterCancelled(1)) == [.end(1, as: .cancelled)])
        #expect(harness.machine.isAwaited(CallID(1)) == true)
        #expect(
            harness.send(.answered(CallID(1), .success(.of(1)))) == [.end(2, as: .page(.of(1)))])
    }

    @Test("When the last waiter leaves, the call is aborted, and its late answer is dropped")
    func lastLeaves() {
        var harness = BrokerHarness()
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        #expect(harness.send(.waiterCancelled(1)) == [.end(1, as: .cancelled), .abort(CallID(1))])
        #expect(harness.machine.isAwaited(CallID(1)) == false)
        #expect(harness.machine.counters.feeds["list"]?.ended == [.cancelled: 1])
        #expect(harness.send(.answered(CallID(1), .success(.of(1)))).isEmpty)
        #expect(harness.machine.counters.lateAnswers == 1)
        #expect(harness.machine.isAwaited(CallID(1)) == nil)
    }

    @Test("An equal request does not join an abandoned call or receive its late answer")
    func afterAbandoned() {
        var harness = BrokerHarness()
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        harness.send(.waiterCancelled(1))
        let again = harness.send(.requested(.page(1), 2, deadline: .ms(100)))
        #expect(again == [.call(2, .page(1))])
        #expect(harness.send(.answered(CallID(1), .success(.of(1)))).isEmpty)
        let answer = harness.send(.answered(CallID(2), .success(.of(2))))
        #expect(answer == [.end(2, as: .page(.of(2)))])
    }

    @Test(
        "The limit counts abandoned calls too. Beyond it, new loads fail, but waiters can join"
    )
    func limit() {
        var harness = BrokerHarness(loadsInFlightMax: 2)
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        harness.send(.requested(.page(2), 2, deadline: .ms(100)))
        #expect(harness.send(.requested(.page(3), 3, deadline: .ms(100))) == [.end(3, as: busy)])
        #expect(harness.send(.requested(.page(2), 4, deadline: .ms(100))).isEmpty)
        harness.send(.waiterCancelled(1))
        #expect(harness.send(.requested(.page(3), 5, deadline: .ms(100))) == [.end(5, as: busy)])
        harness.send(.answered(CallID(1), .failure(failure)))
        let effects = harness.send(.requested(.page(3), 6, deadline: .ms(100)))
        #expect(effects == [.call(3, .page(3))])
        #expect(harness.machine.counters.feeds["list"]?.refused == 2)
    }

    @Test("Each waiter has its own deadline, and the last deadline aborts the call")
    func deadlines() {
        var harness = BrokerHarness()
        harness.send(.requested(.page(1), 1, deadline: .ms(200)))
        harness.send(.requested(.page(1), 2, deadline: .ms(100)))
        #expect(harness.machine.nextDeadline == .ms(100))
        harness.advance(to: .ms(99.999))
        #expect(harness.send(.clockAdvanced).isEmpty)
        harness.advance(to: .ms(100))
        #expect(harness.send(.clockAdvanced) == [.end(2, as: .timedOut)])
        #expect(harness.machine.nextDeadline == .ms(200))
        harness.advance(to: .ms(250))
        #expect(
            harness.send(.clockAdvanced) == [.end(1, as: .timedOut), .abort(CallID(1))])
        #expect(harness.machine.counters.feeds["list"]?.ended == [.timedOut: 1])
        #expect(harness.machine.nextDeadline == nil)
    }

    @Test("An answer at the deadline is too late, even if the timer has not fired")
    func answerAfterDeadline() {
        var harness = BrokerHarness()
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        harness.advance(to: .ms(100))
        let effects = harness.send(.answered(CallID(1), .success(.of(1))))
        #expect(
            effects == [.end(1, as: .timedOut)], "the broker aborts a call that has already ended")
        #expect(harness.machine.counters.lateAnswers == 1)
    }

    @Test("If its deadline has passed when it starts, a load times out without a call")
    func deadlineOver() {
        var harness = BrokerHarness()
        harness.advance(to: .ms(5))
        #expect(harness.send(.requested(.page(1), 1, deadline: .ms(5))) == [.end(1, as: .timedOut)])
        #expect(harness.running.isEmpty)
    }

    @Test("When a waiter leaves, its deadline is dropped")
    func forgottenDeadline() {
        var harness = BrokerHarness()
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        harness.send(.requested(.page(2), 2, deadline: .ms(300)))
        harness.send(.waiterCancelled(1))
        #expect(harness.machine.nextDeadline == .ms(300))
    }

    @Test("Repeated starts have no effect, nor have repeated or unknown cancellations and answers")
    func nonsense() {
        var harness = BrokerHarness()
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        #expect(harness.send(.requested(.page(1), 1, deadline: .ms(100))).isEmpty)
        #expect(harness.send(.requested(.page(2), 1, deadline: .ms(100))).isEmpty)
        #expect(harness.send(.waiterCancelled(9)).isEmpty)
        #expect(
            harness.send(.answered(CallID(1), .success(.of(1)))) == [.end(1, as: .page(.of(1)))])
        #expect(harness.send(.waiterCancelled(1)).isEmpty)
        #expect(harness.send(.answered(CallID(1), .success(.of(1)))).isEmpty)
        #expect(harness.send(.answered(CallID(77), .success(.of(1)))).isEmpty)
        #expect(harness.machine.counters.lateAnswers == 2)
    }

    @Test("Stopping cancels all loads, aborts all calls, and later starts are cancelled")
    func stopping() {
        var harness = BrokerHarness()
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        harness.send(.requested(.page(2), 2, deadline: .ms(100)))
        harness.send(.requested(.page(1), 3, deadline: .ms(100)))
        #expect(
            harness.send(.stopped) == [
                .end(1, 3, as: .cancelled), .abort(CallID(1)),
                .end(2, as: .cancelled), .abort(CallID(2)),
            ])
        #expect(
            harness.send(.requested(.page(1), 4, deadline: .ms(100))) == [.end(4, as: .cancelled)])
        #expect(harness.send(.stopped).isEmpty)
        harness.send(.answered(CallID(1), .success(.of(1))))
        harness.send(.answered(CallID(2), .success(.of(1))))
        #expect(harness.machine.callsInFlight == 0)
        #expect(harness.machine.counters.lateAnswers == 2)
    }

    @Test("A call ends at its own deadline, even if a later waiter has more time")
    func lateJoiner() {
        var harness = BrokerHarness()
        harness.send(.requested(.page(1), 1, deadline: .ms(100)))
        harness.send(.requested(.page(1), 2, deadline: .ms(500)))
        let late = LoadFailure(.backendTimedOut, "No answer arrived in time.")
        #expect(
            harness.pass(to: .ms(100)) == [
                .end(1, as: .timedOut), .abort(CallID(1)), .end(2, as: .failed(late)),
            ])
        #expect(harness.machine.counters.feeds["list"]?.ended == [.timedOut: 1])
        #expect(harness.machine.nextDeadline == nil)
        harness.send(.succeeded(1))
        #expect(harness.machine.isEmpty)
    }

    @Test("A load of an unknown feed is refused and not counted")
    func unknownFeed() {
        var harness = BrokerHarness()
        let effects = harness.send(.requested(.page(1, feed: "nosuch"), 1, deadline: .ms(100)))
        let failure = LoadFailure(.backendRejected, "There is no such feed.")
        #expect(effects == [.end(1, as: .failed(failure))])
        #expect(harness.machine.counters.feeds.isEmpty)
        #expect(harness.send(.feedChanged("nosuch")).isEmpty)
    }

    @Test(
        "Progress is delivered at most ten times a second, and the latest value is not lost")
    func progress() {
        var harness = BrokerHarness()
        harness.send(.requested(.page(1), 1, deadline: .ms(1000)))
        harness.send(.requested(.page(1), 2, deadline: .ms(1000)))
        let id = CallID(1)
        #expect(harness.send(.progressed(id, 0.1)) == [.deliver([1, 2], .progressed(0.1))])
        harness.advance(to: .ms(30))
        #expect(harness.send(.progressed(id, 0.2)).isEmpty)
        #expect(harness.send(.progressed(id, 0.3)).isEmpty)
        #expect(harness.send(.progressed(id, .nan)).isEmpty)
        #expect(harness.machine.nextDeadline == .ms(100))
        #expect(harness.pass(to: .ms(100)) == [.deliver([1, 2], .progressed(0.3))])
        #expect(harness.machine.nextDeadline == .ms(1000))
        harness.advance(to: .ms(200))
        #expect(harness.send(.progressed(id, 7)) == [.deliver([1, 2], .progressed(1))])
        #expect(harness.send(.progressed(id, 0.9)).isEmpty)
        harness.send(.succeeded(1))
        #expect(harness.machine.nextDeadline == nil, "pending progress remains after the end")
        #expect(harness.send(.progressed(id, 0.5)).isEmpty)
        #expect(harness.machine.counters.lateProgress == 1)
    }

    @Test("10,000 waiters get their outcome in one effect, in order, without those that left")
    func manyWaiters() {
        var machine = LoadBroker<Int>(BrokerRules(feeds: ["list": .init(group: "list")]), seed: 1)
        var effects: [LoadBroker<Int>.Effect] = []
        for waiter in 0..<10_000 {
            machine.handle(
                .requested(.page(1), waiter, deadline: .ms(100)), at: .origin, into: &effects)
        }
        for waiter in stride(from: 0, to: 10_000, by: 3) {
            machine.handle(.waiterCancelled(waiter), at: .origin, into: &effects)
        }
        effects = []
        machine.handle(.succeeded(1), at: .ms(1), into: &effects)
        let rest = (0..<10_000).filter { $0 % 3 != 0 }
        #expect(effects == [.deliver(rest, .ended(.page(.of(1))))])
        #expect(machine.isEmpty)
    }
}
