import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBroker

/// Runs of random events with seeds. `PoolWorld` checks the rules.
@Suite("WorkerPool: random", .ownThread)
struct WorkerPoolRandomTests {
    @Test("In random runs, no load is lost, assigned twice or ended twice", arguments: 1...60)
    func run(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let overdue: WorkerPool.Overdue = seed % 2 == 0 ? .dismiss : .freePlace
        var world = PoolWorld(overdue: overdue)
        var last: (load: UInt64, worker: UInt64) = (0, 0)
        for _ in 0..<3000 { Self.step(of: &world, &last, using: &random) }
        // All loads with a deadline have ended by now. The others end with the pool.
        world.advance(toMs: world.now.milliseconds + 1000)
        world.send(.stopped)
        #expect(world.waiting.isEmpty, "seed \(seed)")
        #expect(world.pool.nextDeadline == nil, "seed \(seed)")
        #expect(world.pool.snapshot.running == 0, "seed \(seed)")
    }

    /// Sends one random event, or none if there is no worker or load for it. `last` holds the
    /// numbers that were used last.
    private static func step(
        of world: inout PoolWorld, _ last: inout (load: UInt64, worker: UInt64),
        using random: inout SeededGenerator
    ) {
        let workers = world.held.keys.sorted { $0.number < $1.number }
        let worker = workers.randomElement(using: &random)
        let waiting = world.waiting.sorted { $0.number < $1.number }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<35:
            last.load += 1
            let feed = Bool.random(using: &random) ? "songs" : "films"
            let left = Double.random(in: 0...400, using: &random)
            world.send(
                .started(
                    CallID(last.load), feed: feed,
                    deadline: Int.random(in: 0..<4, using: &random) == 0
                        ? .never : world.now.advanced(byMilliseconds: left)))
        case 35..<42:
            guard workers.count < 6 else { return }
            last.worker += 1
            let feeds: [Set<String>?] = [nil, ["songs"], ["films"]]
            world.send(
                .joined(
                    WorkerID(last.worker), feeds: feeds.randomElement(using: &random) ?? nil,
                    capacity: Int.random(in: 1...4, using: &random)))
        case 42..<46:
            if let worker { world.send(.lost(worker)) }
        case 46..<54:
            if let id = waiting.randomElement(using: &random) { world.send(.cancelled(id)) }
        case 54..<82:
            guard let worker,
                let id = (world.held[worker] ?? []).union(world.takenBack[worker] ?? [])
                    .sorted(by: { $0.number < $1.number }).randomElement(using: &random)
            else { return }
            world.send(.received(worker, answer(id, using: &random)))
        case 82..<84:
            guard let worker else { return }
            let load = waiting.randomElement(using: &random)
            world.send(.receivedInvalid(worker, WorkerMessageFault(.unknownType, of: load)))
        case 84..<86:
            if let worker { world.send(.received(worker, .page(CallID(.max), page))) }
        case 86:
            guard let worker,
                let feed = world.pool.workers[worker]?.feeds.sorted()
                    .randomElement(using: &random)
            else { return }
            world.send(.received(worker, .changed(feed)))
        case 87:
            guard let worker, last.load > 0 else { return }
            let id = CallID(UInt64.random(in: 1...last.load, using: &random))
            world.send(.received(worker, .progress(id, 0.5)))
        default:
            let ahead = Double.random(in: 0...60, using: &random)
            world.advance(toMs: world.now.milliseconds + ahead)
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
