import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshCluster

/// Three to five machines on a simulated bus. Each run ends with healing, and what must be true at
/// rest is checked then.
@Suite("A cluster on an unreliable bus")
struct ClusterPropertyTests {
    private typealias Faults = SimulatedCluster.Faults

    private func run(
        _ faults: SimulatedCluster.Faults, seed: UInt64, _ test: String, ms: Double = 40_000
    ) -> SimulatedCluster {
        var cluster = SimulatedCluster(nodes: 3 + Int(seed % 3), faults, seed: seed, test)
        cluster.run(untilMs: ms)
        cluster.settle()
        return cluster
    }

    /// Checks what is true at rest after any faults.
    private func checkRest(_ cluster: SimulatedCluster, _ place: SourceLocation = #_sourceLocation)
    {
        let ids = cluster.nodes.map(\.id).sorted()
        #expect(cluster.countViolations == [], sourceLocation: place)
        for node in cluster.nodes {
            #expect(node.machine.nodes.map(\.id) == ids, sourceLocation: place)
            #expect(node.machine.nodeCount == ids.count, sourceLocation: place)
            let oldest = node.machine.nodes.compactMap(\.lastStateAt).min()
            #expect(node.machine.oldestStateAt == oldest, sourceLocation: place)
            #expect(node.broker.owners?.live == ids, sourceLocation: place)
            #expect(node.broker.owners?.own == node.id, sourceLocation: place)
            #expect(
                node.broker.owners?.workers == cluster.nodes[0].broker.owners?.workers,
                sourceLocation: place)
            #expect(node.machine.openAsks == 0, sourceLocation: place)
            #expect(node.broker.openAsks == 0, sourceLocation: place)
            #expect(node.machine.runningLoads == 0, sourceLocation: place)
            #expect(node.broker.performed.isEmpty, sourceLocation: place)
            #expect(node.broker.violations == [], sourceLocation: place)
            var sessions: [CountKey: Int] = [:]
            for other in cluster.nodes where other.id != node.id {
                sessions[CountKey(bits: other.id.bits)] = other.sessions
            }
            #expect(node.counts.others.sessions == sessions, sourceLocation: place)
            #expect(node.counts.nodes == ids.count, sourceLocation: place)
            #expect(node.counts.divisor == 1, sourceLocation: place)
        }
        for feed in SimulatedCluster.feeds {
            for reporter in cluster.nodes {
                guard let reportedAt = reporter.reportedAt[feed] else { continue }
                // A node that had just started at that time knew nothing outdated.
                for node in cluster.nodes
                where node.startedAt.advanced(byMilliseconds: Membership.livenessMs) <= reportedAt {
                    let changedAt = node.changedAt[feed] ?? .origin
                    #expect(reportedAt <= changedAt, "\(feed)", sourceLocation: place)
                }
            }
        }
    }

    /// Checks that each node has applied each change of the other nodes at most once. Changes that
    /// were published together are one change.
    private func checkAtMostOnce(_ cluster: SimulatedCluster, exactly: Bool = false) {
        for node in cluster.nodes {
            let others = cluster.nodes.filter { $0.id != node.id }
            for feed in SimulatedCluster.feeds {
                let applied = node.applied[feed] ?? 0
                #expect(applied <= others.map { $0.reported[feed] ?? 0 }.reduce(0, +))
                guard exactly else { continue }
                #expect(others.map { $0.published[feed] ?? 0 }.reduce(0, +) <= applied)
            }
            #expect(node.machine.counters.changesOfReconnections == 0)
        }
    }

    @Test(
        "On a quick bus, each message about a change is applied, and each change once",
        arguments: 1...10)
    func quick(seed: Int) {
        let cluster = run(Faults(delayMs: 1...1), seed: UInt64(seed), "a quick bus", ms: 20_000)
        checkRest(cluster)
        checkAtMostOnce(cluster, exactly: true)
        #expect(cluster.nodes.map(\.broker.answered).reduce(0, +) > 50)
    }

    @Test(
        "On a bus that delays, reorders and duplicates, each change is applied at most once",
        arguments: 1...20)
    func reordering(seed: Int) {
        let faults = Faults(delayMs: 0...400, duplicatesOneIn: 4)
        let cluster = run(faults, seed: UInt64(seed) + 1000, "a reordering bus")
        checkRest(cluster)
        checkAtMostOnce(cluster)
    }

    @Test(
        "On a bus that loses messages, no change is lost and no load waits for ever",
        arguments: 1...20)
    func loss(seed: Int) {
        let faults = Faults(delayMs: 0...100, dropsOneIn: 3, duplicatesOneIn: 8)
        checkRest(run(faults, seed: UInt64(seed) + 2000, "a lossy bus"))
    }

    @Test(
        "With partitions, disconnections and crashes, no sum of counts contains a node twice",
        arguments: 1...20)
    func counts(seed: Int) {
        let faults = Faults(
            delayMs: 0...400, dropsOneIn: 8, duplicatesOneIn: 4, hasOutages: true)
        checkRest(run(faults, seed: UInt64(seed) + 4000, "counts and outages"))
    }

    @Test(
        "After partitions, disconnections, crashes and garbage, all nodes agree again",
        arguments: 1...50)
    func outages(seed: Int) {
        let faults = Faults(
            delayMs: 0...200, dropsOneIn: 10, duplicatesOneIn: 10, hasOutages: true,
            hasGarbage: true)
        checkRest(run(faults, seed: UInt64(seed) + 3000, "a bus with outages"))
    }
}
