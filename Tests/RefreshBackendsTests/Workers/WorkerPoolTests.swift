import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshBackends

/// The assignment of loads to workers, and the handling of the loads of lost workers. A load that
/// is cancelled or timed out is revoked: its worker must stop the work.
@Suite("WorkerPool")
struct WorkerPoolTests {
    private var harness = PoolHarness()

    private static let page = Page(items: Array("[1]".utf8), count: 1)

    private mutating func start(
        _ id: UInt64, _ feed: String = "songs", deadlineMs: Double? = nil
    ) -> [WorkerPool.Effect] {
        let deadline = deadlineMs.map { Instant(milliseconds: $0) } ?? .never
        return harness.send(.started(CallID(id), feed: feed, deadline: deadline))
    }

    private mutating func join(
        _ worker: UInt64, _ feeds: Set<String>? = nil, capacity: Int = 1
    ) -> [WorkerPool.Effect] {
        harness.send(.joined(WorkerID(worker), feeds: feeds, capacity: capacity))
    }

    private mutating func answer(_ id: UInt64, by worker: UInt64) -> [WorkerPool.Effect] {
        harness.send(.received(WorkerID(worker), .page(CallID(id), Self.page)))
    }

    private func assign(_ id: UInt64, _ worker: UInt64, again: Bool = false) -> WorkerPool.Effect {
        .assign(CallID(id), WorkerID(worker), earlier: again ? 1 : 0)
    }

    private func end(_ id: UInt64) -> WorkerPool.Effect { .end(CallID(id), .success(Self.page)) }

    /// Returns the failure code of a load's `end` in `effects`; nil if there is none.
    private func code(_ id: UInt64, in effects: [WorkerPool.Effect]) -> FaultCode? {
        for case .end(CallID(id), .failure(let failure)) in effects { return failure.code }
        return nil
    }

    @Test("A load waits for a worker of its feed, and the oldest load is assigned first")
    mutating func order() {
        #expect(start(1) == [])
        #expect(start(2, "films") == [])
        #expect(start(3) == [])
        #expect(join(1, ["films"]) == [assign(2, 1)])
        #expect(join(2, ["songs", "films"]) == [assign(1, 2)])
        #expect(start(4, "films") == [])
        #expect(answer(1, by: 2) == [end(1), assign(3, 2)])
        #expect(answer(3, by: 2) == [end(3), assign(4, 2)])
    }

    @Test("The worker that uses the smallest share of its capacity gets the load")
    mutating func share() {
        _ = join(1, capacity: 2)
        _ = join(2, capacity: 4)
        #expect(start(1) == [assign(1, 1)])
        #expect(start(2) == [assign(2, 2)])
        #expect(start(3) == [assign(3, 2)])
        // Both workers are half full. The first one gets the load, because its last assignment is
        // older.
        #expect(start(4) == [assign(4, 1)])
        #expect(start(5) == [assign(5, 2)])
        #expect(start(6) == [assign(6, 2)])
        #expect(start(7) == [])
        #expect(answer(3, by: 2) == [end(3), assign(7, 2)])
    }

    @Test("A lost worker's loads are reassigned, the oldest first, but only once")
    mutating func lost() {
        _ = join(1, capacity: 3)
        _ = start(1)
        _ = start(2)
        _ = start(3)
        _ = start(4)
        #expect(harness.send(.lost(WorkerID(1))) == [])
        #expect(
            join(2, capacity: 4) == [
                assign(1, 2, again: true), assign(2, 2, again: true), assign(3, 2, again: true),
                assign(4, 2),
            ])
        _ = join(3, capacity: 1)
        let effects = harness.send(.lost(WorkerID(2)))
        #expect(effects.contains(assign(4, 3, again: true)))
        for id in 1...3 { #expect(code(UInt64(id), in: effects) == .backendFailed) }
        #expect(harness.pool.counters.reissued == 4)
    }

    @Test("Messages of a worker that was lost are ignored")
    mutating func ghost() {
        _ = join(1)
        _ = start(1)
        _ = harness.send(.lost(WorkerID(1)))
        #expect(answer(1, by: 1) == [])
        #expect(harness.send(.lost(WorkerID(1))) == [])
        #expect(harness.pool.phase(of: CallID(1)) == .waiting)
    }

    @Test("Without a worker, a load fails as unavailable, and without an answer, it times out")
    mutating func deadlines() {
        _ = start(1, deadlineMs: 1000)
        // Without a worker, the load fails before its deadline, so that the reason of the failure
        // arrives before a timeout.
        #expect(harness.advance(toMs: 899) == [])
        #expect(code(1, in: harness.advance(toMs: 900)) == .backendUnavailable)
        _ = join(1, ["songs"])
        _ = start(2, deadlineMs: 2000)
        _ = start(3, deadlineMs: 2000)
        _ = start(4, "films", deadlineMs: 1010)
        #expect(code(4, in: harness.advance(toMs: 1010)) == .backendUnavailable)
        let effects = harness.advance(toMs: 2000)
        #expect(code(2, in: effects) == .backendTimedOut)
        #expect(code(3, in: effects) == .backendTimedOut)
        #expect(effects.contains(.revoke(CallID(2), WorkerID(1))))
    }

    @Test(
        "Without a worker, a load fails up to a second before its deadline",
        arguments: [
            (30_000.0, 29_000.0), (10_000, 9000), (4000, 3600), (300, 270), (100, 80), (40, 30),
        ])
    mutating func lead(_ deadlineMs: Double, _ failsAtMs: Double) {
        _ = start(1, deadlineMs: deadlineMs)
        #expect(harness.advance(toMs: failsAtMs - 1) == [])
        #expect(code(1, in: harness.advance(toMs: failsAtMs)) == .backendUnavailable)
    }

    @Test("A cancelled load occupies a place of its worker until the late answer arrives")
    mutating func late() {
        _ = join(1)
        _ = start(1)
        _ = start(2)
        #expect(
            harness.send(.cancelled(CallID(1))) == [.revoke(CallID(1), WorkerID(1))])
        #expect(answer(1, by: 1) == [assign(2, 1)])
        #expect(answer(1, by: 1) == [])
        #expect(harness.pool.counters.lateAnswers == 2)
    }

    @Test("If a cancelled load gets no answer, its place is free after the grace period")
    mutating func forgotten() {
        _ = join(1)
        _ = start(1)
        _ = start(2)
        _ = harness.send(.cancelled(CallID(1)))
        #expect(harness.advance(toMs: 99) == [])
        #expect(harness.advance(toMs: 100) == [assign(2, 1)])
        #expect(answer(1, by: 1) == [])
        #expect(harness.pool.counters.lateAnswers == 1)
    }

    @Test("With `dismiss`, an overdue worker is dismissed, and its other loads are reassigned")
    mutating func overdue() {
        harness = PoolHarness(overdue: .dismiss)
        _ = join(1, capacity: 2)
        _ = start(1)
        _ = start(2)
        _ = harness.send(.cancelled(CallID(1)))
        _ = join(2)
        #expect(
            harness.advance(toMs: 100) == [
                .dismiss(WorkerID(1), .overdue), assign(2, 2, again: true),
            ])
    }

    @Test("A waiting load that is cancelled is removed")
    mutating func cancelledWaiting() {
        _ = start(1, deadlineMs: 500)
        #expect(harness.send(.cancelled(CallID(1))) == [])
        #expect(harness.send(.cancelled(CallID(1))) == [])
        #expect(harness.advance(toMs: 1000) == [])
        #expect(join(1) == [])
        #expect(harness.pool.nextDeadline == nil)
    }

    @Test("While one load waits, thousands of cancelled loads leave few entries in the queues")
    mutating func comeAndGo() {
        _ = start(1)
        for id in 2...5000 as ClosedRange<UInt64> {
            _ = start(id, deadlineMs: 100_000)
            _ = harness.send(.cancelled(CallID(id)))
        }
        #expect(harness.pool.deadlines.count <= 100)
        #expect(harness.pool.queues[WorkKind("songs")]?.count ?? 0 <= 100)
        #expect(join(1) == [assign(1, 1)])
    }

    @Test("A load is not assigned to a worker that has a revoked load with the same id")
    mutating func sameName() {
        _ = join(1, capacity: 2)
        _ = start(1)
        _ = harness.send(.cancelled(CallID(1)))
        #expect(start(1) == [])
        #expect(answer(1, by: 1) == [assign(1, 1)])
    }

    /// Invalid messages of a worker. Each has the load (1 or 2) that fails, and the code of the
    /// failure.
    static let misunderstandings:
        [(name: String, event: WorkerPool.Event, failed: UInt64?, code: FaultCode)] = [
            (
                "an invalid message with a known load",
                .receivedInvalid(WorkerID(1), WorkerMessageFault(.field("items"), of: CallID(2))),
                2,
                .backendAnswerMalformed
            ),
            (
                "a line that is too long, with a known load",
                .receivedInvalid(
                    WorkerID(1), WorkerMessageFault(.tooLong(max: 9), of: CallID(1))),
                1, .backendAnswerTooLarge
            ),
            (
                "an invalid message without a load",
                .receivedInvalid(WorkerID(1), WorkerMessageFault(.unknownType)), nil,
                .backendAnswerMalformed
            ),
            (
                "an answer to an unknown load",
                .received(WorkerID(1), .page(CallID(99), page)), nil, .backendAnswerMalformed
            ),
            (
                "progress of an unknown load",
                .received(WorkerID(1), .progress(CallID(99), 0)), nil, .backendAnswerMalformed
            ),
            (
                "a change of a feed that the worker does not serve",
                .received(WorkerID(1), .changed(FeedChange("films"))), nil, .backendAnswerMalformed
            ),
            (
                "a second registration",
                .received(
                    WorkerID(1), .register(WorkerRegistration(token: "", feeds: ["songs"]))),
                nil, .backendAnswerMalformed
            ),
        ]

    @Test("A worker that sends an invalid message is dismissed", arguments: misunderstandings)
    mutating func misunderstood(
        _ name: String, _ event: WorkerPool.Event, _ failed: UInt64?, _ code: FaultCode
    ) {
        _ = join(1, ["songs"], capacity: 2)
        _ = start(1)
        _ = start(2)
        let effects = harness.send(event)
        #expect(effects.contains { if case .dismiss = $0 { true } else { false } })
        for id in [1, 2] as [UInt64] {
            #expect(self.code(id, in: effects) == (id == failed ? code : nil))
            let phase = harness.pool.phase(of: CallID(id))
            #expect(phase == (id == failed ? nil : .waiting))
        }
        #expect(harness.pool.snapshot.workers == 0)
        // When a second worker is dismissed, the loads fail with the reason of the dismissal.
        _ = join(2)
        _ = join(3)
        let again = WorkerMessageFault(.tooLong(max: 9))
        for worker in [2, 3] as [UInt64] {
            let effects = harness.send(.receivedInvalid(WorkerID(worker), again))
            let had = harness.ends.count
            #expect(had > 0 || effects.isEmpty)
        }
        #expect(
            harness.ends.values.allSatisfy {
                switch $0 {
                case .success: false
                case .failure(let failure):
                    [.backendAnswerMalformed, .backendAnswerTooLarge].contains(failure.code)
                }
            })
        #expect(harness.waiting.isEmpty)
    }

    @Test("If a worker with one load sends an invalid message, that load fails")
    mutating func onlyOne() {
        _ = join(1)
        _ = start(1)
        let effects = harness.send(.receivedInvalid(WorkerID(1), WorkerMessageFault(.unknownType)))
        #expect(code(1, in: effects) == .backendAnswerMalformed)
    }

    @Test("Progress is reported at most 100 times a second, and only for running loads")
    mutating func progress() {
        _ = join(1)
        _ = start(1)
        let progress = WorkerPool.Event.received(WorkerID(1), .progress(CallID(1), 0.5))
        for _ in 0..<100 { #expect(harness.send(progress) == [.report(CallID(1), 0.5)]) }
        #expect(harness.send(progress) == [])
        harness.advance(toMs: 1000)
        #expect(harness.send(progress) == [.report(CallID(1), 0.5)])
        _ = answer(1, by: 1)
        #expect(harness.send(progress) == [])
        #expect(harness.pool.snapshot.workers == 1)
    }

    @Test("A change of a feed that the worker serves is announced")
    mutating func change() {
        _ = join(1, ["songs"])
        #expect(
            harness.send(.received(WorkerID(1), .changed(FeedChange("songs")))) == [
                .announceChange(FeedChange("songs"))
            ])
    }

    @Test("A feed's changes are announced at most ten times a second, and the last one in any case")
    mutating func manyChanges() {
        _ = join(1, ["songs", "films"])
        let announcement = WorkerPool.Effect.announceChange(FeedChange("songs"))
        let change = WorkerPool.Event.received(WorkerID(1), .changed(FeedChange("songs")))
        #expect(harness.send(change) == [announcement])
        for _ in 0..<1000 { #expect(harness.send(change) == []) }
        // Each feed has its own limit.
        #expect(
            harness.send(.received(WorkerID(1), .changed(FeedChange("films")))) == [
                .announceChange(FeedChange("films"))
            ])
        harness.advance(toMs: 99)
        #expect(harness.send(change) == [])
        #expect(harness.advance(toMs: 100) == [announcement])
        #expect(harness.send(change) == [])
        // The pending change is announced even after its worker is lost.
        _ = harness.send(.lost(WorkerID(1)))
        #expect(harness.advance(toMs: 199) == [])
        #expect(harness.advance(toMs: 200) == [announcement])
        #expect(harness.pool.nextDeadline == nil)
        _ = join(2)
        #expect(harness.advance(toMs: 10_000) == [])
        let late = WorkerPool.Event.received(WorkerID(2), .changed(FeedChange("songs")))
        #expect(harness.send(late) == [announcement])
        #expect(harness.send(late) == [])
        _ = harness.send(.stopped)
        #expect(harness.pool.nextDeadline == nil)
    }

    @Test("Stop fails all loads, sends bye to all workers, and refuses later loads")
    mutating func stop() {
        _ = join(1)
        _ = start(1)
        _ = start(2, deadlineMs: 100)
        let effects = harness.send(.stopped)
        #expect(code(1, in: effects) == .backendFailed)
        #expect(code(2, in: effects) == .backendFailed)
        #expect(effects.last == .bye(WorkerID(1)))
        #expect(code(3, in: start(3)) == .backendFailed)
        #expect(join(2) == [.bye(WorkerID(2))])
        #expect(harness.pool.nextDeadline == nil)
        #expect(harness.send(.stopped) == [])
    }
}
