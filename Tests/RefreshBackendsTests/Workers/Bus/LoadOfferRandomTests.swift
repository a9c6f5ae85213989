import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBackends

/// Runs of random events with seeds: loads, workers of both kinds, and a bus that loses, repeats
/// and delays messages. `OfferHarness` checks the rules.
@Suite("WorkerPool: random workers on the bus", .ownThread)
struct LoadOfferRandomTests {
    @Test(
        "In random runs, no load is lost, ended twice or ended by a foreign answer",
        arguments: 1...60)
    func run(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var harness = OfferHarness()
        var last: (load: UInt64, worker: UInt64) = (0, 0)
        for _ in 0..<3000 { Self.step(of: &harness, &last, using: &random) }
        // With a bus that works, each load ends with the answer to its next attempt.
        harness.send(.connected)
        for _ in 0..<20 where !harness.waiting.isEmpty {
            for offer in Self.sorted(harness.pool.offers.offers.keys) {
                let worker = harness.pool.offers[offer]?.worker ?? BusWorkerID(bits: 1)
                harness.send(.received(offer, from: worker, .page(offer.call, Self.page)))
            }
            for (worker, pooled) in harness.pool.workers where pooled.assigned.isEmpty == false {
                for load in pooled.assigned {
                    harness.send(.received(worker, .page(load, Self.page)))
                }
            }
            harness.send(.joined(WorkerID(10_000), feeds: nil, capacity: 100))
            harness.advance(toMs: harness.now.milliseconds + 500)
        }
        #expect(harness.waiting.isEmpty, "seed \(seed)")
        harness.send(.stopped)
        #expect(harness.pool.nextDeadline == nil, "seed \(seed)")
        #expect(harness.pool.snapshot.running == 0, "seed \(seed)")
    }

    private static let page = Page(items: Array("[1]".utf8), count: 1)

    private static func sorted(_ offers: some Sequence<LoadOfferID>) -> [LoadOfferID] {
        offers.sorted { $0.number < $1.number }
    }

    /// Sends one random event. `last` contains the latest ids of a load and of a worker.
    private static func step(
        of harness: inout OfferHarness, _ last: inout (load: UInt64, worker: UInt64),
        using random: inout SeededGenerator
    ) {
        let workers = harness.pool.workers.keys.sorted { $0.number < $1.number }
        let waiting = harness.waiting.sorted { $0.number < $1.number }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25:
            last.load += 1
            let left = Double.random(in: 0...8000, using: &random)
            harness.send(
                .started(
                    CallID(last.load), feed: Bool.random(using: &random) ? "songs" : "films",
                    deadline: Int.random(in: 0..<4, using: &random) == 0
                        ? .never : harness.now.advanced(byMilliseconds: left)))
        case 25..<28:
            guard workers.count < 2 else { return }
            last.worker += 1
            harness.send(.joined(WorkerID(last.worker), feeds: nil, capacity: 2))
        case 28..<34:
            if let worker = workers.randomElement(using: &random) { harness.send(.lost(worker)) }
        case 34..<40:
            if let id = waiting.randomElement(using: &random) { harness.send(.cancelled(id)) }
        case 40..<42:
            harness.send(Bool.random(using: &random) ? .connected : .disconnected)
        case 42..<75: answer(of: &harness, using: &random)
        default:
            let ahead = Double.random(in: 0...900, using: &random)
            harness.advance(toMs: harness.now.milliseconds + ahead)
        }
    }

    /// Delivers a message about an open offer, or about an old one.
    private static func answer(
        of harness: inout OfferHarness, using random: inout SeededGenerator
    ) {
        let open = sorted(harness.pool.offers.offers.keys)
        let all = Int.random(in: 0..<5, using: &random) == 0 ? sorted(harness.offered.keys) : open
        guard let offer = all.randomElement(using: &random) else { return }
        let worker = BusWorkerID(bits: .random(in: 0..<3, using: &random))
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3: harness.send(.received(offer, from: worker, .page(offer.call, page)))
        case 3..<7:
            let value = Double.random(in: 0...1, using: &random)
            harness.send(.received(offer, from: worker, .progress(offer.call, value)))
        case 7: harness.send(.receivedInvalid(offer, from: worker, WorkerMessageFault(.notText)))
        default: harness.send(.refused(offer))
        }
    }
}
