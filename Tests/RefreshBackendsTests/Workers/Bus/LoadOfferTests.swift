import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshBackends

/// The loads that a pool offers to workers on the message bus.
@Suite("WorkerPool: workers on the bus")
struct LoadOfferTests {
    private var harness = OfferHarness()

    private static let page = Page(items: Array("[1]".utf8), count: 1)
    private let ada = BusWorkerID(bits: 1)
    private let bob = BusWorkerID(bits: 2)

    private mutating func start(
        _ id: UInt64, _ feed: String = "songs", deadlineMs: Double? = nil
    ) -> [WorkerPool.Effect] {
        let deadline = deadlineMs.map { Instant(milliseconds: $0) } ?? .never
        return harness.send(.started(CallID(id), feed: feed, deadline: deadline))
    }

    private mutating func answer(
        _ offer: UInt64, _ worker: BusWorkerID, _ message: WorkerMessage? = nil
    ) -> [WorkerPool.Effect] {
        let page = WorkerMessage.page(CallID(offer), Self.page)
        return harness.send(.received(LoadOfferID(offer), from: worker, message ?? page))
    }

    private mutating func progress(
        _ offer: UInt64, _ worker: BusWorkerID, _ value: Double = 0
    ) -> [WorkerPool.Effect] {
        answer(offer, worker, .progress(CallID(offer), value))
    }

    private func offer(_ id: UInt64, _ offer: UInt64, earlier: Int = 0) -> WorkerPool.Effect {
        .offer(CallID(id), LoadOfferID(offer), earlier: earlier)
    }

    private func withdraw(_ offer: UInt64, _ worker: BusWorkerID) -> WorkerPool.Effect {
        .withdraw(LoadOfferID(offer), worker)
    }

    private func end(_ id: UInt64) -> WorkerPool.Effect { .end(CallID(id), .success(Self.page)) }

    private func code(_ id: UInt64) -> FaultCode? {
        guard case .failure(let failure) = harness.ends[CallID(id)] else { return nil }
        return failure.code
    }

    private func count(_ result: OfferResult) -> Int {
        harness.pool.snapshot.offers[result, default: 0]
    }

    // MARK: Which loads are offered

    @Test("Loads of feeds with workers on the bus are offered while the bus is connected")
    mutating func connected() {
        #expect(start(1) == [])
        #expect(start(2, "films") == [])
        #expect(harness.send(.connected) == [offer(1, 1)])
        #expect(start(3) == [offer(3, 2)])
        #expect(start(4, "films") == [])
    }

    @Test("A worker that is connected to the daemon comes first, even if it is busy")
    mutating func preference() {
        harness.send(.connected)
        harness.send(.joined(WorkerID(1), feeds: nil, capacity: 1))
        #expect(start(1) == [.assign(CallID(1), WorkerID(1), earlier: 0)])
        #expect(start(2) == [])
        // Without it, its loads are offered, the oldest first.
        #expect(harness.send(.lost(WorkerID(1))) == [offer(1, 1, earlier: 1), offer(2, 2)])
    }

    @Test("A load that waits because no worker subscribes is given to a worker that connects")
    mutating func lateConnection() {
        harness.send(.connected)
        _ = start(1)
        #expect(harness.send(.refused(LoadOfferID(1))) == [])
        #expect(
            harness.send(.joined(WorkerID(1), feeds: nil, capacity: 1))
                == [.assign(CallID(1), WorkerID(1), earlier: 0)])
        #expect(harness.advance(toMs: 5000) == [])
    }

    // MARK: Answers

    @Test("The first answer takes a load, and then only its worker may answer")
    mutating func taken() {
        harness.send(.connected)
        _ = start(1)
        #expect(progress(1, ada) == [])
        #expect(harness.pool.snapshot.running == 1)
        #expect(answer(1, bob) == [])
        #expect(harness.pool.snapshot.droppedBusMessages == 1)
        #expect(answer(1, ada) == [end(1)])
        // The load has ended.
        #expect(answer(1, ada) == [])
        #expect(harness.pool.snapshot.droppedBusMessages == 2)
        #expect(count(.taken) == 1)
    }

    @Test("A page or a failure can be the first answer")
    mutating func immediate() {
        harness.send(.connected)
        _ = start(1)
        #expect(answer(1, ada) == [end(1)])
        _ = start(2)
        let failure = LoadFailure(.backendRejected, "No.")
        #expect(
            answer(2, bob, .failed(CallID(2), failure)) == [.end(CallID(2), .failure(failure))])
        #expect(count(.taken) == 2)
    }

    @Test("Only new values of the progress are reported")
    mutating func progressValues() {
        harness.send(.connected)
        _ = start(1)
        #expect(progress(1, ada) == [])
        #expect(progress(1, ada, 0.5) == [.report(CallID(1), 0.5)])
        #expect(progress(1, ada, 0.5) == [])
        #expect(progress(1, ada, 0.6) == [.report(CallID(1), 0.6)])
    }

    @Test("A message that is not understood fails the load only if its worker has sent it")
    mutating func invalid() {
        harness.send(.connected)
        let fault = WorkerMessageFault(.unknownType)
        _ = start(1)
        _ = progress(1, ada)
        #expect(harness.send(.receivedInvalid(LoadOfferID(1), from: bob, fault)) == [])
        #expect(code(1) == nil)
        harness.send(.receivedInvalid(LoadOfferID(1), from: ada, fault))
        #expect(code(1) == .backendAnswerMalformed)
        harness.send(.receivedInvalid(LoadOfferID(9), from: ada, fault))
        #expect(harness.pool.snapshot.droppedBusMessages == 2)
    }

    @Test(
        "A message about another load, or without a load, fails the load of its subject",
        arguments: [
            WorkerMessage.page(CallID(7), page), .progress(CallID(7), 0.5),
            .changed(FeedChange("songs")),
            .register(WorkerRegistration(token: "t", feeds: ["songs"])),
        ])
    mutating func foreign(_ message: WorkerMessage) {
        harness.send(.connected)
        _ = start(1)
        _ = answer(1, ada, message)
        #expect(code(1) == .backendAnswerMalformed)
    }

    // MARK: Silence

    @Test("A load that no worker takes within a second is offered again, as another attempt")
    mutating func notTaken() {
        harness.send(.connected)
        _ = start(1)
        #expect(harness.advance(toMs: 999) == [])
        #expect(harness.advance(toMs: 1000) == [offer(1, 2, earlier: 1)])
        #expect(answer(1, ada) == [])
        #expect(answer(2, bob) == [end(1)])
        #expect(count(.silent) == 1)
    }

    @Test("A load whose worker is silent is cancelled there and offered again until its deadline")
    mutating func silent() {
        harness.send(.connected)
        _ = start(1, deadlineMs: 9000)
        _ = progress(1, ada)
        #expect(harness.advance(toMs: 3499) == [])
        #expect(
            harness.advance(toMs: 3500) == [withdraw(1, ada), offer(1, 2, earlier: 1)])
        _ = progress(2, bob)
        #expect(
            harness.advance(toMs: 7000) == [withdraw(2, bob), offer(1, 3, earlier: 2)])
        _ = progress(3, ada)
        // A late answer to an earlier attempt changes nothing.
        #expect(answer(1, ada) == [])
        #expect(harness.advance(toMs: 9000).contains(withdraw(3, ada)))
        #expect(code(1) == .backendTimedOut)
        #expect(count(.lost) == 2)
        #expect(harness.pool.snapshot.reissued == 2)
        #expect(harness.pool.nextDeadline == nil)
    }

    @Test("A worker that reports at least once in 3,500 ms keeps its load")
    mutating func alive() {
        harness.send(.connected)
        _ = start(1)
        for second in 0..<100 {
            #expect(harness.advance(toMs: Double(second) * 3400) == [])
            #expect(progress(1, ada) == [])
        }
        #expect(answer(1, ada) == [end(1)])
    }

    @Test("A load whose fourth worker is lost too fails as unavailable")
    mutating func lostTooOften() {
        harness.send(.connected)
        _ = start(1)
        for attempt in 1...3 {
            _ = progress(UInt64(attempt), ada)
            #expect(
                harness.advance(toMs: 3500 * Double(attempt)) == [
                    withdraw(UInt64(attempt), ada),
                    offer(1, UInt64(attempt + 1), earlier: attempt),
                ])
        }
        _ = progress(4, bob)
        #expect(harness.advance(toMs: 14_000).first == withdraw(4, bob))
        #expect(code(1) == .backendUnavailable)
        #expect(harness.pool.snapshot.reissued == 3)
        #expect(harness.pool.nextDeadline == nil)
    }

    @Test("A load whose worker is lost shortly before its deadline fails as unavailable at once")
    mutating func lostLate() {
        harness.send(.connected)
        _ = start(1, deadlineMs: 4000)
        _ = progress(1, ada)
        harness.advance(toMs: 200)
        _ = progress(1, ada)
        #expect(harness.advance(toMs: 3699) == [])
        #expect(harness.advance(toMs: 3700).first == withdraw(1, ada))
        #expect(code(1) == .backendUnavailable)
    }

    // MARK: No worker

    @Test("At most 16 loads are offered at a time that no worker has taken")
    mutating func window() {
        harness.send(.connected)
        for id in 1...16 { #expect(start(UInt64(id)) == [offer(UInt64(id), UInt64(id))]) }
        for id in 17...40 { #expect(start(UInt64(id)) == []) }
        #expect(progress(1, ada) == [offer(17, 17)])
        #expect(progress(1, ada) == [])
        #expect(answer(1, ada) == [end(1)])
        #expect(answer(2, ada) == [end(2), offer(18, 18)])
        #expect(harness.send(.cancelled(CallID(3))) == [offer(19, 19)])
    }

    @Test("While all workers are full, the signs of life of earlier loads offer nothing again")
    mutating func fullWorkers() {
        harness.send(.connected)
        _ = start(1)
        #expect(progress(1, ada) == [])
        for id in 2...4 { _ = start(UInt64(id)) }
        for id in 2...4 { #expect(harness.send(.refused(LoadOfferID(UInt64(id)))) == []) }
        #expect(progress(1, ada) == [])
        #expect(progress(1, ada, 0.5) == [.report(CallID(1), 0.5)])
        #expect(harness.advance(toMs: 499) == [])
        // Its end frees a place, so that one load is offered before the 500 ms are over.
        #expect(answer(1, ada) == [end(1), offer(2, 5)])
        #expect(progress(5, ada) == [offer(3, 6), offer(4, 7)])
    }

    @Test("A load that is larger than the bus accepts ends, and the feed remains open")
    mutating func tooLarge() {
        harness.send(.connected)
        _ = start(1)
        harness.send(.tooLarge(LoadOfferID(1)))
        #expect(code(1) == .backendUnavailable)
        #expect(start(2) == [offer(2, 2)])
        harness.send(.refused(LoadOfferID(2)))
        #expect(start(3) == [])
        // If it was to find out whether there is a worker, the next load does that at once.
        #expect(harness.advance(toMs: 500) == [offer(2, 3)])
        #expect(harness.send(.tooLarge(LoadOfferID(3))).last == offer(3, 4))
        #expect(code(2) == .backendUnavailable)
    }

    @Test("Without a worker, one load is offered every 500 ms; when it is taken, so are the others")
    mutating func noWorker() {
        harness.send(.connected)
        for id in 1...3 {
            #expect(start(UInt64(id)) == [offer(UInt64(id), UInt64(id))])
        }
        for id in [2, 1, 3] { #expect(harness.send(.refused(LoadOfferID(UInt64(id)))) == []) }
        #expect(start(4) == [])
        #expect(harness.advance(toMs: 499) == [])
        // Nothing was delivered, so the number of the attempt is the same.
        #expect(harness.advance(toMs: 500) == [offer(1, 4)])
        #expect(start(5) == [])
        #expect(harness.send(.refused(LoadOfferID(4))) == [])
        #expect(harness.advance(toMs: 1000) == [offer(1, 5)])
        #expect(progress(5, ada) == [offer(2, 6), offer(3, 7), offer(4, 8), offer(5, 9)])
        #expect(count(.noWorker) == 4)
    }

    @Test("If the offered load is not needed any more, the next one is offered at once")
    mutating func cancelledProbe() {
        harness.send(.connected)
        _ = start(1)
        _ = start(2)
        for id in 1...2 { harness.send(.refused(LoadOfferID(UInt64(id)))) }
        #expect(harness.advance(toMs: 500) == [offer(1, 3)])
        #expect(harness.send(.cancelled(CallID(1))) == [offer(2, 4)])
    }

    @Test("If the offered load is only silent, the others are offered too")
    mutating func silentProbe() {
        harness.send(.connected)
        _ = start(1)
        _ = start(2)
        for id in 1...2 { harness.send(.refused(LoadOfferID(UInt64(id)))) }
        #expect(harness.advance(toMs: 500) == [offer(1, 3)])
        #expect(harness.advance(toMs: 1500) == [offer(1, 4, earlier: 1), offer(2, 5)])
    }

    @Test("A load without a worker fails as unavailable shortly before its deadline")
    mutating func unavailable() {
        harness.send(.connected)
        _ = start(1, deadlineMs: 10_000)
        while harness.ends.isEmpty, harness.now.milliseconds < 10_000 {
            for id in harness.pool.offers.offers.keys { harness.send(.refused(id)) }
            harness.advance(toMs: harness.now.milliseconds + 1)
        }
        #expect(code(1) == .backendUnavailable)
        #expect(harness.now.milliseconds < 9010)
    }

    @Test("A load that a worker has taken does not wait again because of a forged refusal")
    mutating func forgedRefusal() {
        harness.send(.connected)
        _ = start(1)
        _ = progress(1, ada)
        #expect(harness.send(.refused(LoadOfferID(1))) == [])
        #expect(harness.send(.refused(LoadOfferID(77))) == [])
        #expect(answer(1, ada) == [end(1)])
    }

    // MARK: Cancelling, connection, end

    @Test("A load that is not needed any more is cancelled at the worker that has taken it")
    mutating func cancelled() {
        harness.send(.connected)
        _ = start(1)
        _ = start(2)
        _ = progress(1, ada)
        #expect(harness.send(.cancelled(CallID(1))) == [withdraw(1, ada)])
        #expect(harness.send(.cancelled(CallID(2))) == [])
        #expect(answer(1, ada) == [])
        #expect(answer(2, bob) == [])
        #expect(harness.pool.nextDeadline == nil || harness.advance(toMs: 60_000) == [])
    }

    @Test("When the bus is lost, loads wait, and are offered again after the connection")
    mutating func disconnected() {
        harness.send(.connected)
        _ = start(1)
        _ = start(2)
        _ = progress(1, ada)
        #expect(harness.send(.disconnected) == [])
        #expect(start(3) == [])
        #expect(answer(1, ada) == [])
        #expect(harness.advance(toMs: 60_000) == [])
        #expect(
            harness.send(.connected)
                == [offer(1, 3, earlier: 1), offer(2, 4, earlier: 1), offer(3, 5)])
    }

    @Test("While the bus is lost, a worker that connects to the daemon receives the loads")
    mutating func connectsMeanwhile() {
        harness.send(.connected)
        _ = start(1)
        harness.send(.disconnected)
        #expect(
            harness.send(.joined(WorkerID(1), feeds: nil, capacity: 1))
                == [.assign(CallID(1), WorkerID(1), earlier: 1)])
    }

    @Test("When the daemon stops, taken loads are cancelled, and all loads end")
    mutating func stopped() {
        harness.send(.connected)
        _ = start(1)
        _ = start(2)
        _ = progress(2, ada)
        #expect(harness.send(.stopped).first == withdraw(2, ada))
        #expect(harness.waiting.isEmpty)
        #expect(answer(1, ada) == [])
        #expect(harness.send(.disconnected) == [])
        #expect(harness.send(.connected) == [])
        #expect(harness.pool.nextDeadline == nil)
    }

    @Test("Changes of feeds with workers on the bus are announced at most ten times a second")
    mutating func changes() {
        let change = FeedChange("songs", count: NewerCount(2))
        #expect(harness.send(.changed(change)) == [.announceChange(change)])
        #expect(harness.send(.changed(change)) == [])
        #expect(harness.advance(toMs: 100) == [.announceChange(change)])
        #expect(harness.send(.changed(FeedChange("films"))) == [])
        #expect(harness.pool.snapshot.droppedBusMessages == 1)
    }
}
