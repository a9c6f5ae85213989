import RefreshProtocol
import Testing

@testable import RefreshBroker

@Suite("Single flight")
struct SingleFlightTests {
    private let busy = LoadOutcome.failed(
        LoadFailure(.backendBusy, "All 2 backend calls are in use."))
    private let failure = LoadFailure(.backendFailed, "no")

    @Test("A lone waiter's request is one call, whose page it gets")
    func loneWaiter() {
        var world = FlightWorld()
        let effects = world.send(.started(.page(1), 1, deadline: .ms(100)))
        #expect(effects == [.call(FlightID(1), .page(1))])
        #expect(world.machine.nextDeadline == .ms(100))
        let answer = world.send(.answered(FlightID(1), .success(.of(3))))
        #expect(answer == [.deliver(1, .page(.of(3)))])
        #expect(world.machine.callsInFlight == 0)
        #expect(world.machine.counters.feeds["list"]?.ended == [.success: 1])
    }

    @Test("Equal requests share a call and all get its answer, in the order they came")
    func sharing() {
        var world = FlightWorld()
        world.send(.started(.page(1), 3, deadline: .ms(100)))
        #expect(world.send(.started(.page(1), 1, deadline: .ms(100))).isEmpty)
        #expect(world.send(.started(.page(1), 2, deadline: .ms(90))).isEmpty)
        let effects = world.send(.answered(FlightID(1), .failure(failure)))
        #expect(
            effects == [
                .deliver(3, .failed(failure)), .deliver(1, .failed(failure)),
                .deliver(2, .failed(failure)),
            ])
        let tally = world.machine.counters.feeds["list"]
        #expect(tally?.started == 1)
        #expect(tally?.joined == 2)
        #expect(tally?.ended == [.failed: 1])
    }

    @Test("What differs in anything is a call of its own")
    func differences() {
        var base = LoadRequest.page(1)
        base.cursor = "a"
        var others: [LoadRequest] = Array(repeating: base, count: 7)
        others[0].feed = "other"
        others[1].kind = .refresh
        others[2].page = 2
        others[3].offset = 1
        others[4].size = 11
        others[5].cursor = nil
        others[6].parameters = [LoadParameter(name: "q", value: .text("x"))]
        var world = FlightWorld()
        for (waiter, request) in ([base] + others).enumerated() {
            world.send(.started(request, waiter, deadline: .ms(100)))
        }
        #expect(world.running.count == 8)
    }

    @Test("A request after the answer is a new call: answers are not kept")
    func noCache() {
        var world = FlightWorld()
        world.send(.started(.page(1), 1, deadline: .ms(100)))
        world.send(.answered(FlightID(1), .success(.of(1))))
        let effects = world.send(.started(.page(1), 2, deadline: .ms(100)))
        #expect(effects == [.call(FlightID(2), .page(1))])
    }

    @Test("Who leaves is told so; the call goes on for the others")
    func leaving() {
        var world = FlightWorld()
        world.send(.started(.page(1), 1, deadline: .ms(100)))
        world.send(.started(.page(1), 2, deadline: .ms(100)))
        #expect(world.send(.left(1)) == [.deliver(1, .cancelled)])
        #expect(world.machine.phase(of: FlightID(1)) == .awaited)
        #expect(
            world.send(.answered(FlightID(1), .success(.of(1)))) == [.deliver(2, .page(.of(1)))])
    }

    @Test("When the last one left the call is aborted, and its late answer counted and dropped")
    func lastLeaves() {
        var world = FlightWorld()
        world.send(.started(.page(1), 1, deadline: .ms(100)))
        #expect(world.send(.left(1)) == [.deliver(1, .cancelled), .abort(FlightID(1))])
        #expect(world.machine.phase(of: FlightID(1)) == .abandoned)
        #expect(world.machine.counters.feeds["list"]?.ended == [.cancelled: 1])
        #expect(world.send(.answered(FlightID(1), .success(.of(1)))).isEmpty)
        #expect(world.machine.counters.late == 1)
        #expect(world.machine.phase(of: FlightID(1)) == nil)
    }

    @Test("An equal request does not join an abandoned call, and the late answer does not reach it")
    func afterAbandoned() {
        var world = FlightWorld()
        world.send(.started(.page(1), 1, deadline: .ms(100)))
        world.send(.left(1))
        let again = world.send(.started(.page(1), 2, deadline: .ms(100)))
        #expect(again == [.call(FlightID(2), .page(1))])
        #expect(world.send(.answered(FlightID(1), .success(.of(1)))).isEmpty)
        let answer = world.send(.answered(FlightID(2), .success(.of(2))))
        #expect(answer == [.deliver(2, .page(.of(2)))])
    }

    @Test(
        "Beyond the limit a waiter fails at once; joining needs no room; abandoned calls keep it"
    )
    func limit() {
        var world = FlightWorld(loadsInFlightMax: 2)
        world.send(.started(.page(1), 1, deadline: .ms(100)))
        world.send(.started(.page(2), 2, deadline: .ms(100)))
        #expect(world.send(.started(.page(3), 3, deadline: .ms(100))) == [.deliver(3, busy)])
        #expect(world.send(.started(.page(2), 4, deadline: .ms(100))).isEmpty)
        world.send(.left(1))
        #expect(world.send(.started(.page(3), 5, deadline: .ms(100))) == [.deliver(5, busy)])
        world.send(.answered(FlightID(1), .failure(failure)))
        let effects = world.send(.started(.page(3), 6, deadline: .ms(100)))
        #expect(effects == [.call(FlightID(3), .page(3))])
        #expect(world.machine.counters.feeds["list"]?.refused == 2)
    }

    @Test("Each waiter has its own deadline; the last one's ends the call as timed out")
    func deadlines() {
        var world = FlightWorld()
        world.send(.started(.page(1), 1, deadline: .ms(200)))
        world.send(.started(.page(1), 2, deadline: .ms(100)))
        #expect(world.machine.nextDeadline == .ms(100))
        world.advance(to: .ms(99.999))
        #expect(world.send(.clockAdvanced).isEmpty)
        world.advance(to: .ms(100))
        #expect(world.send(.clockAdvanced) == [.deliver(2, .timedOut)])
        #expect(world.machine.nextDeadline == .ms(200))
        world.advance(to: .ms(250))
        #expect(
            world.send(.clockAdvanced) == [.deliver(1, .timedOut), .abort(FlightID(1))])
        #expect(world.machine.counters.feeds["list"]?.ended == [.timedOut: 1])
        #expect(world.machine.nextDeadline == nil)
    }

    @Test("An answer at or after the deadline is too late, whether or not the timer has fired")
    func answerAfterDeadline() {
        var world = FlightWorld()
        world.send(.started(.page(1), 1, deadline: .ms(100)))
        world.advance(to: .ms(100))
        let effects = world.send(.answered(FlightID(1), .success(.of(1))))
        #expect(effects == [.deliver(1, .timedOut)], "and there is nothing left to abort")
        #expect(world.machine.counters.late == 1)
    }

    @Test("A deadline that is over at the start times out without a call")
    func deadlineOver() {
        var world = FlightWorld()
        world.advance(to: .ms(5))
        #expect(world.send(.started(.page(1), 1, deadline: .ms(5))) == [.deliver(1, .timedOut)])
        #expect(world.running.isEmpty)
    }

    @Test("A deadline is forgotten with its waiter")
    func forgottenDeadline() {
        var world = FlightWorld()
        world.send(.started(.page(1), 1, deadline: .ms(100)))
        world.send(.started(.page(2), 2, deadline: .ms(300)))
        world.send(.left(1))
        #expect(world.machine.nextDeadline == .ms(300))
    }

    @Test("Leaving twice, leaving unknown, answering twice, starting twice change nothing")
    func nonsense() {
        var world = FlightWorld()
        world.send(.started(.page(1), 1, deadline: .ms(100)))
        #expect(world.send(.started(.page(1), 1, deadline: .ms(100))).isEmpty)
        #expect(world.send(.started(.page(2), 1, deadline: .ms(100))).isEmpty)
        #expect(world.send(.left(9)).isEmpty)
        #expect(
            world.send(.answered(FlightID(1), .success(.of(1)))) == [.deliver(1, .page(.of(1)))])
        #expect(world.send(.left(1)).isEmpty)
        #expect(world.send(.answered(FlightID(1), .success(.of(1)))).isEmpty)
        #expect(world.send(.answered(FlightID(77), .success(.of(1)))).isEmpty)
        #expect(world.machine.counters.late == 2)
    }

    @Test("Stopping ends every load as cancelled, aborts every call, and nothing begins after it")
    func stopping() {
        var world = FlightWorld()
        world.send(.started(.page(1), 1, deadline: .ms(100)))
        world.send(.started(.page(2), 2, deadline: .ms(100)))
        world.send(.started(.page(1), 3, deadline: .ms(100)))
        #expect(
            world.send(.stopped) == [
                .deliver(1, .cancelled), .deliver(2, .cancelled), .abort(FlightID(2)),
                .deliver(3, .cancelled), .abort(FlightID(1)),
            ])
        #expect(world.send(.started(.page(1), 4, deadline: .ms(100))) == [.deliver(4, .cancelled)])
        #expect(world.send(.stopped).isEmpty)
        world.send(.answered(FlightID(1), .success(.of(1))))
        world.send(.answered(FlightID(2), .success(.of(1))))
        #expect(world.machine.callsInFlight == 0)
        #expect(world.machine.counters.late == 2)
    }

    @Test("Deadlines of gone waiters do not pile up")
    func deadlinesStayFew() {
        var heap = DeadlineHeap<Int>()
        var generator = SeededGenerator(seed: 7)
        for serial in 0..<1000 {
            let deadline = Instant(microseconds: Int64.random(in: 0..<100, using: &generator))
            heap.insert(.init(deadline: deadline, serial: UInt64(serial), waiter: serial))
        }
        heap.keep { $0.waiter % 3 == 0 }
        #expect(heap.count == 334)
        var last = Instant(microseconds: -1)
        while let entry = heap.first {
            #expect(entry.deadline >= last)
            last = entry.deadline
            heap.removeFirst()
        }
    }
}
