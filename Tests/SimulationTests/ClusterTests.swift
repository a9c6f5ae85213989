import Glibc
import Simulation
import Testing

/// Simulates daemons that form a cluster on an unreliable bus. `SIMULATION_SEED` selects a single
/// seed. Source: docs/simulation.md, "Clusters".
struct ClusterTests {
    private static let seeds: Range<UInt64> = {
        let chosen = unsafe getenv("SIMULATION_SEED").flatMap { unsafe UInt64(String(cString: $0)) }
        return chosen.map { $0..<$0 + 1 } ?? 1..<61
    }()

    @Test("Whatever the bus does, each rule of the cluster holds")
    func clusters() {
        var tally: [String: Int] = [:]
        for seed in Self.seeds {
            let verdict = SimulatedWorlds.run(seed, .cluster)
            tally.merge(verdict.tally, uniquingKeysWith: +)
            guard verdict.failure != nil else { continue }
            guard let smallest = SimulatedWorlds.smallest(seed, .cluster) else {
                Issue.record("seed \(seed) failed, but not when its run was repeated")
                continue
            }
            Issue.record("\(smallest.report)\n\(smallest.log.suffix(25).joined(separator: "\n"))")
        }
        guard Self.seeds.count > 1 else { return }
        // These counts show that the rules were checked often enough, and that each fault of the
        // bus and of the store occurred.
        for (what, least) in [
            ("compared calls", 200), ("compared changes", 2000), ("compared holders", 150),
            ("cluster answered asks", 500), ("cluster missed changes", 20),
            ("cluster changes of reconnections", 100), ("cluster dropped as version", 20),
            ("bus partition", 5), ("bus one-way cut", 5), ("bus loss", 5), ("bus delay", 5),
            ("bus lost connection", 5), ("bus restart", 5), ("bus upgrade", 5),
            ("daemon crashes", 20), ("daemon drains", 10),
            ("claims fenced", 100), ("claims unfenced", 50), ("claims superseded", 20),
            ("compared claimed sessions", 10), ("compared sessions", 2000),
            ("revoked refused as unknownSession", 150), ("superseded refused as wrongToken", 40),
            ("fence conflicts", 3), ("fence requests without an answer", 20),
            ("store lost bucket", 2), ("store lost entries", 2), ("store lost leader", 5),
        ] {
            #expect(tally[what, default: 0] >= least, "\(what)")
        }
    }

    @Test(
        "A node that breaks a rule on purpose is found, and its rule is named",
        arguments: ClusterDefect.allCases)
    func defects(_ defect: ClusterDefect) {
        let found = (1..<61 as Range<UInt64>).first { seed in
            let failure = SimulatedWorlds.run(seed, .cluster(defect)).failure
            return failure?.hasPrefix("[\(defect.brokenRule.rawValue)]") == true
        }
        #expect(found != nil, "no seed finds \(defect)")
    }

    @Test("Each rule of a cluster is broken by at least one defect")
    func rules() {
        #expect(Set(ClusterDefect.allCases.map(\.brokenRule)) == Set(ClusterRule.allCases))
    }

    @Test("Two runs of a cluster with the same seed give the same trace")
    func determinism() {
        for seed in 1..<6 as Range<UInt64> {
            #expect(
                SimulatedWorlds.run(seed, .cluster).trace
                    == SimulatedWorlds.run(seed, .cluster).trace, "seed \(seed)")
        }
    }
}
