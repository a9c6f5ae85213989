import RefreshProtocol
import Testing

@testable import RefreshBroker

/// Who gets which load, and what becomes of the loads of those that are lost.
@Suite("WorkerPool")
struct WorkerPoolTests {
    private var world = PoolWorld()

    private static let page = Page(items: Array("[1]".utf8), count: 1)

    private mutating func start(
        _ id: UInt64, _ feed: String = "songs", deadlineMs: Double? = nil
    ) -> [WorkerPool.Effect] {
        let deadline = deadlineMs.map { Instant(milliseconds: $0) } ?? .never
        return world.send(.started(CallID(id), feed: feed, deadline: deadline))
    }

    private mutating func join(
        _ worker: UInt64, _ feeds: Set<String>? = nil, capacity: Int = 1
    ) -> [WorkerPool.Effect] {
        world.send(.joined(WorkerID(worker), feeds: feeds, capacity: capacity))
    }

    private mutating func answer(_ id: UInt64, by worker: UInt64) -> [WorkerPool.Effect] {
        world.send(.received(WorkerID(worker), .page(CallID(id), Self.page)))
    }

    private func give(_ id: UInt64, _ worker: UInt64, again: Bool = false) -> WorkerPool.Effect {
        .assign(CallID(id), WorkerID(worker), isAgain: again)
    }

    private func end(_ id: UInt64) -> WorkerPool.Effect { .end(CallID(id), .success(Self.page)) }

    /// The code that a load failed with, of the one `end` among `effects`.
    private func code(_ id: UInt64, in effects: [WorkerPool.Effect]) -> FaultCode? {
        for case .end(CallID(id), .failure(let failure)) in effects { return failure.code }
        return nil
    }

    @Test("a load waits for a worker of its feed, and the oldest is served first")
    mutating func order() {
        #expect(start(1) == [])
        #expect(start(2, "films") == [])
        #expect(start(3) == [])
        #expect(join(1, ["films"]) == [give(2, 1)])
        #expect(join(2, ["songs", "films"]) == [give(1, 2)])
        #expect(start(4, "films") == [])
        #expect(answer(1, by: 2) == [end(1), give(3, 2)])
        #expect(answer(3, by: 2) == [end(3), give(4, 2)])
    }

    @Test("the smallest share in use gets the load; among equals who has waited longest")
    mutating func share() {
        _ = join(1, capacity: 2)
        _ = join(2, capacity: 4)
        #expect(start(1) == [give(1, 1)])
        #expect(start(2) == [give(2, 2)])
        #expect(start(3) == [give(3, 2)])
        // Both are half full; the first was served longer ago.
        #expect(start(4) == [give(4, 1)])
        #expect(start(5) == [give(5, 2)])
        #expect(start(6) == [give(6, 2)])
        #expect(start(7) == [])
        #expect(answer(3, by: 2) == [end(3), give(7, 2)])
    }

    @Test("the loads of a lost worker go to another once, the oldest first, and then fail")
    mutating func lost() {
        _ = join(1, capacity: 3)
        _ = start(1)
        _ = start(2)
        _ = start(3)
        _ = start(4)
        #expect(world.send(.lost(WorkerID(1))) == [])
        #expect(
            join(2, capacity: 4) == [
                give(1, 2, again: true), give(2, 2, again: true), give(3, 2, again: true),
                give(4, 2),
            ])
        _ = join(3, capacity: 1)
        let effects = world.send(.lost(WorkerID(2)))
        #expect(effects.contains(give(4, 3, again: true)))
        for id in 1...3 { #expect(code(UInt64(id), in: effects) == .backendFailed) }
        #expect(world.pool.counters.reissued == 4)
    }

    @Test("what a lost worker said before is forgotten")
    mutating func ghost() {
        _ = join(1)
        _ = start(1)
        _ = world.send(.lost(WorkerID(1)))
        #expect(answer(1, by: 1) == [])
        #expect(world.send(.lost(WorkerID(1))) == [])
        #expect(world.pool.phase(of: CallID(1)) == .waiting)
    }

    @Test("a deadline passes: unavailable without a worker, timed out with one")
    mutating func deadlines() {
        _ = start(1, deadlineMs: 1000)
        // A little earlier, so that the reason is heard.
        #expect(world.advance(toMs: 899) == [])
        #expect(code(1, in: world.advance(toMs: 900)) == .backendUnavailable)
        _ = join(1, ["songs"])
        _ = start(2, deadlineMs: 2000)
        _ = start(3, deadlineMs: 2000)
        _ = start(4, "films", deadlineMs: 1010)
        #expect(code(4, in: world.advance(toMs: 1010)) == .backendUnavailable)
        let effects = world.advance(toMs: 2000)
        #expect(code(2, in: effects) == .backendTimedOut)
        #expect(code(3, in: effects) == .backendTimedOut)
        #expect(effects.contains(.revoke(CallID(2), WorkerID(1))))
    }

    @Test(
        "without a worker a load fails the earlier, the more time it has, but at most by a second",
        arguments: [
            (30_000.0, 29_000.0), (10_000, 9000), (4000, 3600), (300, 270), (100, 80), (40, 30),
        ])
    mutating func lead(_ deadlineMs: Double, _ failsAtMs: Double) {
        _ = start(1, deadlineMs: deadlineMs)
        #expect(world.advance(toMs: failsAtMs - 1) == [])
        #expect(code(1, in: world.advance(toMs: failsAtMs)) == .backendUnavailable)
    }

    @Test("a cancelled load keeps its place until it is answered late")
    mutating func late() {
        _ = join(1)
        _ = start(1)
        _ = start(2)
        #expect(
            world.send(.cancelled(CallID(1))) == [.revoke(CallID(1), WorkerID(1))])
        #expect(answer(1, by: 1) == [give(2, 1)])
        #expect(answer(1, by: 1) == [])
        #expect(world.pool.counters.lateAnswers == 2)
    }

    @Test("a cancelled load that is not answered gives its place free after the grace")
    mutating func forgotten() {
        _ = join(1)
        _ = start(1)
        _ = start(2)
        _ = world.send(.cancelled(CallID(1)))
        #expect(world.advance(toMs: 99) == [])
        #expect(world.advance(toMs: 100) == [give(2, 1)])
        #expect(answer(1, by: 1) == [])
        #expect(world.pool.counters.lateAnswers == 1)
    }

    @Test("or its worker is sent away, where that is the rule, and the others go on")
    mutating func overdue() {
        world = PoolWorld(overdue: .dismiss)
        _ = join(1, capacity: 2)
        _ = start(1)
        _ = start(2)
        _ = world.send(.cancelled(CallID(1)))
        _ = join(2)
        #expect(
            world.advance(toMs: 100) == [
                .dismiss(WorkerID(1), .overdue), give(2, 2, again: true),
            ])
    }

    @Test("a cancelled load that waits is just gone")
    mutating func cancelledWaiting() {
        _ = start(1, deadlineMs: 500)
        #expect(world.send(.cancelled(CallID(1))) == [])
        #expect(world.send(.cancelled(CallID(1))) == [])
        #expect(world.advance(toMs: 1000) == [])
        #expect(join(1) == [])
        #expect(world.pool.nextDeadline == nil)
    }

    @Test("loads that come and go while one waits leave nothing behind")
    mutating func comeAndGo() {
        _ = start(1)
        for id in 2...5000 as ClosedRange<UInt64> {
            _ = start(id, deadlineMs: 100_000)
            _ = world.send(.cancelled(CallID(id)))
        }
        #expect(world.pool.deadlines.count <= 100)
        #expect(world.pool.queues["songs"]?.count ?? 0 <= 100)
        #expect(join(1) == [give(1, 1)])
    }

    @Test("a load of the same name is not given where the earlier one was taken back")
    mutating func sameName() {
        _ = join(1, capacity: 2)
        _ = start(1)
        _ = world.send(.cancelled(CallID(1)))
        #expect(start(1) == [])
        #expect(answer(1, by: 1) == [give(1, 1)])
    }

    /// What a worker says that is not understood, and what becomes of its loads 1 and 2.
    static let misunderstandings:
        [(name: String, event: WorkerPool.Event, failed: UInt64?, code: FaultCode)] = [
            (
                "a fault that names a load",
                .receivedInvalid(WorkerID(1), WorkerMessageFault(.field("items"), of: CallID(2))),
                2,
                .backendAnswerMalformed
            ),
            (
                "a line too long that names a load",
                .receivedInvalid(
                    WorkerID(1), WorkerMessageFault(.tooLong(max: 9), of: CallID(1))),
                1, .backendAnswerTooLarge
            ),
            (
                "a fault that names none",
                .receivedInvalid(WorkerID(1), WorkerMessageFault(.unknownType)), nil,
                .backendAnswerMalformed
            ),
            (
                "an answer to a load that never was",
                .received(WorkerID(1), .page(CallID(99), page)), nil, .backendAnswerMalformed
            ),
            (
                "progress of a load that never was",
                .received(WorkerID(1), .progress(CallID(99), 0)), nil, .backendAnswerMalformed
            ),
            (
                "a change of a feed that it does not serve",
                .received(WorkerID(1), .changed("films")), nil, .backendAnswerMalformed
            ),
            (
                "a second registration",
                .received(
                    WorkerID(1), .register(WorkerRegistration(token: "", feeds: ["songs"]))),
                nil, .backendAnswerMalformed
            ),
        ]

    @Test("what is not understood sends the worker away", arguments: misunderstandings)
    mutating func misunderstood(
        _ name: String, _ event: WorkerPool.Event, _ failed: UInt64?, _ code: FaultCode
    ) {
        _ = join(1, ["songs"], capacity: 2)
        _ = start(1)
        _ = start(2)
        let effects = world.send(event)
        #expect(effects.contains { if case .dismiss = $0 { true } else { false } })
        for id in [1, 2] as [UInt64] {
            #expect(self.code(id, in: effects) == (id == failed ? code : nil))
            let phase = world.pool.phase(of: CallID(id))
            #expect(phase == (id == failed ? nil : .waiting))
        }
        #expect(world.pool.snapshot.workers == 0)
        // A second time it is the reason that is told.
        _ = join(2)
        _ = join(3)
        let again = WorkerMessageFault(.tooLong(max: 9))
        for worker in [2, 3] as [UInt64] {
            let effects = world.send(.receivedInvalid(WorkerID(worker), again))
            let had = world.ends.count
            #expect(had > 0 || effects.isEmpty)
        }
        #expect(
            world.ends.values.allSatisfy {
                switch $0 {
                case .success: false
                case .failure(let failure):
                    [.backendAnswerMalformed, .backendAnswerTooLarge].contains(failure.code)
                }
            })
        #expect(world.waiting.isEmpty)
    }

    @Test("if a worker has but one load, it was that one which it spoke of")
    mutating func onlyOne() {
        _ = join(1)
        _ = start(1)
        let effects = world.send(.receivedInvalid(WorkerID(1), WorkerMessageFault(.unknownType)))
        #expect(code(1, in: effects) == .backendAnswerMalformed)
    }

    @Test("progress is told a hundred times a second, and of loads that run")
    mutating func progress() {
        _ = join(1)
        _ = start(1)
        let progress = WorkerPool.Event.received(WorkerID(1), .progress(CallID(1), 0.5))
        for _ in 0..<100 { #expect(world.send(progress) == [.report(CallID(1), 0.5)]) }
        #expect(world.send(progress) == [])
        world.advance(toMs: 1000)
        #expect(world.send(progress) == [.report(CallID(1), 0.5)])
        _ = answer(1, by: 1)
        #expect(world.send(progress) == [])
        #expect(world.pool.snapshot.workers == 1)
    }

    @Test("a change is announced for a feed that the worker serves")
    mutating func change() {
        _ = join(1, ["songs"])
        #expect(
            world.send(.received(WorkerID(1), .changed("songs"))) == [
                .announceChange(feed: "songs")
            ])
    }

    @Test("of changes of a feed ten a second are announced, and the last one is not lost")
    mutating func manyChanges() {
        _ = join(1, ["songs", "films"])
        let announcement = WorkerPool.Effect.announceChange(feed: "songs")
        let change = WorkerPool.Event.received(WorkerID(1), .changed("songs"))
        #expect(world.send(change) == [announcement])
        for _ in 0..<1000 { #expect(world.send(change) == []) }
        // Another feed has its own.
        #expect(
            world.send(.received(WorkerID(1), .changed("films"))) == [
                .announceChange(feed: "films")
            ])
        world.advance(toMs: 99)
        #expect(world.send(change) == [])
        #expect(world.advance(toMs: 100) == [announcement])
        #expect(world.send(change) == [])
        // Also when the worker that said it is gone.
        _ = world.send(.lost(WorkerID(1)))
        #expect(world.advance(toMs: 199) == [])
        #expect(world.advance(toMs: 200) == [announcement])
        #expect(world.pool.nextDeadline == nil)
        _ = join(2)
        #expect(world.advance(toMs: 10_000) == [])
        let late = WorkerPool.Event.received(WorkerID(2), .changed("songs"))
        #expect(world.send(late) == [announcement])
        #expect(world.send(late) == [])
        _ = world.send(.stopped)
        #expect(world.pool.nextDeadline == nil)
    }

    @Test("stop ends all loads and says bye to all workers; nothing begins after it")
    mutating func stop() {
        _ = join(1)
        _ = start(1)
        _ = start(2, deadlineMs: 100)
        let effects = world.send(.stopped)
        #expect(code(1, in: effects) == .backendFailed)
        #expect(code(2, in: effects) == .backendFailed)
        #expect(effects.last == .bye(WorkerID(1)))
        #expect(code(3, in: start(3)) == .backendFailed)
        #expect(join(2) == [.bye(WorkerID(2))])
        #expect(world.pool.nextDeadline == nil)
        #expect(world.send(.stopped) == [])
    }
}
