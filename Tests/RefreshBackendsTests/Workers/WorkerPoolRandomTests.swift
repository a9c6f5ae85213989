import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBackends

/// Runs of random events with seeds. `PoolHarness` checks the rules.
@Suite("WorkerPool: random", .ownThread)
struct WorkerPoolRandomTests {
    @Test("In random runs, no load is lost, assigned twice or ended twice", arguments: 1...60)
    func run(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let overdue: WorkerPool.Overdue = seed % 2 == 0 ? .dismiss : .freePlace
        var harness = PoolHarness(overdue: overdue)
        var last: (load: UInt64, worker: UInt64) = (0, 0)
        for _ in 0..<3000 { Self.step(of: &harness, &last, using: &random) }
        // All loads with a deadline have ended by now. The others end when the pool is stopped.
        harness.advance(toMs: harness.now.milliseconds + 1000)
        harness.send(.stopped)
        #expect(harness.waiting.isEmpty, "seed \(seed)")
        #expect(harness.pool.nextDeadline == nil, "seed \(seed)")
        #expect(harness.pool.snapshot.running == 0, "seed \(seed)")
    }

    /// Sends one random event, or none if there is no worker or load for the event. `last` contains
    /// the latest ids of a load and of a worker.
    private static func step(
        of harness: inout PoolHarness, _ last: inout (load: UInt64, worker: UInt64),
        using random: inout SeededGenerator
    ) {
        let workers = harness.held.keys.sorted { $0.number < $1.number }
        let worker = workers.randomElement(using: &random)
        let waiting = harness.waiting.sorted { $0.number < $1.number }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<35:
            last.load += 1
            let feed = Bool.random(using: &random) ? "songs" : "films"
            let left = Double.random(in: 0...400, using: &random)
            harness.send(
                .started(
                    CallID(last.load), feed: feed,
                    deadline: Int.random(in: 0..<4, using: &random) == 0
                        ? .never : harness.now.advanced(byMilliseconds: left)))
        case 35..<42:
            guard workers.count < 6 else { return }
            last.worker += 1
            let feeds: [Set<String>?] = [nil, ["songs"], ["films"]]
            harness.send(
                .joined(
                    WorkerID(last.worker), feeds: feeds.randomElement(using: &random) ?? nil,
                    capacity: Int.random(in: 1...4, using: &random)))
        case 42..<46:
            if let worker { harness.send(.lost(worker)) }
        case 46..<54:
            if let id = waiting.randomElement(using: &random) { harness.send(.cancelled(id)) }
        case 54..<82:
            guard let worker,
                let id = (harness.held[worker] ?? []).union(harness.revoked[worker] ?? [])
                    .sorted(by: { $0.number < $1.number }).randomElement(using: &random)
            else { return }
            harness.send(.received(worker, answer(id, using: &random)))
        case 82..<84:
            guard let worker else { return }
            let load = waiting.randomElement(using: &random)
            harness.send(.receivedInvalid(worker, WorkerMessageFault(.unknownType, of: load)))
        case 84..<86:
            if let worker { harness.send(.received(worker, .page(CallID(.max), page))) }
        case 86:
            guard let worker,
                let feed = harness.pool.workers[worker]?.feeds.sorted()
                    .randomElement(using: &random)
            else { return }
            harness.send(.received(worker, .changed(FeedChange(feed))))
        case 87:
            guard let worker, last.load > 0 else { return }
            let id = CallID(UInt64.random(in: 1...last.load, using: &random))
            harness.send(.received(worker, .progress(id, 0.5)))
        default:
            let ahead = Double.random(in: 0...60, using: &random)
            harness.advance(toMs: harness.now.milliseconds + ahead)
        }
    }

    private static let page = Page(items: Array("[]".utf8), count: 0)

    private static func answer(
        _ id: CallID, using random: inout SeededGenerator
    ) -> WorkerMessage {
        Bool.random(using: &random)
            ? .page(id, page) : .failed(id, LoadFailure(.backendFailed, "no"))
    }
}
