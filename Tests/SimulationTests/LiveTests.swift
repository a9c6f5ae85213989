import Glibc
import Simulation
import Testing

/// Simulates clients that edit a live list at the daemons of a cluster. `SIMULATION_SEED` selects a
/// single seed. Source: docs/simulation.md, "Live lists".
struct LiveTests {
    private static let seeds: Range<UInt64> = {
        let chosen = unsafe getenv("SIMULATION_SEED").flatMap { unsafe UInt64(String(cString: $0)) }
        return chosen.map { $0..<$0 + 1 } ?? 1..<61
    }()

    @Test("Whatever happens, each rule of a live list holds")
    func lists() {
        var tally: [String: Int] = [:]
        for seed in Self.seeds {
            let verdict = SimulatedWorlds.run(seed, .live)
            tally.merge(verdict.tally, uniquingKeysWith: +)
            guard verdict.failure != nil else { continue }
            guard let smallest = SimulatedWorlds.smallest(seed, .live) else {
                Issue.record("seed \(seed) failed, but not when its run was repeated")
                continue
            }
            Issue.record("\(smallest.report)\n\(smallest.log.suffix(25).joined(separator: "\n"))")
        }
        guard Self.seeds.count > 1 else { return }
        // These counts show that the rules were checked often enough.
        for (what, least) in [
            ("live compared at rest", 40), ("live compared after a refresh", 150),
            ("live compared loaded to its end", 150), ("live answers confirmed", 100),
            ("live answers replaced", 100), ("live answers backendRejected", 10),
            ("live answers undone", 5), ("live touches", 100),
            ("live anchor moved", 50), ("live anchor checked", 50), ("live changes", 300),
            ("bus partition", 5), ("bus loss", 5), ("daemon crashes", 5),
        ] {
            #expect(tally[what, default: 0] >= least, "\(what)")
        }
    }

    @Test(
        "A daemon that breaks a rule on purpose is found, and its rule is named",
        arguments: LiveDefect.allCases)
    func defects(_ defect: LiveDefect) {
        let found = (1..<61 as Range<UInt64>).first { seed in
            let failure = SimulatedWorlds.run(seed, .live(defect)).failure
            return failure?.hasPrefix("[\(defect.brokenRule.rawValue)]") == true
        }
        #expect(found != nil, "no seed finds \(defect)")
    }

    @Test("Each rule of a live list is broken by at least one defect")
    func rules() {
        #expect(Set(LiveDefect.allCases.map(\.brokenRule)) == Set(LiveRule.allCases))
    }

    @Test("Two runs of a live list with the same seed give the same trace")
    func determinism() {
        for seed in 1..<6 as Range<UInt64> {
            #expect(
                SimulatedWorlds.run(seed, .live).trace == SimulatedWorlds.run(seed, .live).trace,
                "seed \(seed)")
        }
    }
}
