import Glibc
import Simulation
import Testing

/// Simulates clients that use features and read model lists (`ModelList`). `SIMULATION_SEED`
/// selects a single seed. Source: docs/simulation.md, "Readers of lists".
struct ReaderTests {
    private static let seeds: Range<UInt64> = {
        let chosen = unsafe getenv("SIMULATION_SEED").flatMap { unsafe UInt64(String(cString: $0)) }
        return chosen.map { $0..<$0 + 1 } ?? 1..<101
    }()

    @Test("Readers see complete lists of the model, and each item in its place and under its query")
    func readers() {
        var tally: [String: Int] = [:]
        for seed in Self.seeds {
            let verdict = SimulatedWorlds.run(seed, .readers)
            tally.merge(verdict.tally, uniquingKeysWith: +)
            guard verdict.failure != nil else { continue }
            guard let smallest = SimulatedWorlds.smallest(seed, .readers) else {
                Issue.record("seed \(seed) failed, but not when its run was repeated")
                continue
            }
            Issue.record("\(smallest.report)\n\(smallest.log.suffix(25).joined(separator: "\n"))")
        }
        guard Self.seeds.count > 1 else { return }
        // These counts show that the rules were checked often enough.
        for (what, least) in [
            ("compared lists", 100), ("compared lists after a change", 100),
            ("anchor checked", 500), ("anchor moved", 20), ("items of several pages", 300),
            ("place refresh with known sight", 300), ("sent query", 500), ("loading failed", 50),
        ] {
            #expect(tally[what, default: 0] >= least, "\(what)")
        }
    }

    @Test(
        "A server that breaks a rule on purpose is found, and its rule is named",
        arguments: ServerVariant.allCases.filter { $0.brokenRule != nil })
    func wrongServers(_ variant: ServerVariant) throws {
        let rule = try #require(variant.brokenRule)
        let found = (1..<61 as Range<UInt64>).first { seed in
            let failure = SimulatedWorlds.run(seed, .readers(variant)).failure
            return failure?.hasPrefix("[\(rule.rawValue)]") == true
        }
        #expect(found != nil, "no seed finds \(variant)")
    }

    @Test("Each rule is broken by at least one wrong server")
    func rules() {
        #expect(Set(ServerVariant.allCases.compactMap(\.brokenRule)) == Set(ReaderRule.allCases))
    }

    @Test("Two runs of readers with the same seed give the same trace")
    func determinism() {
        for seed in 1..<6 as Range<UInt64> {
            #expect(
                SimulatedWorlds.run(seed, .readers).trace
                    == SimulatedWorlds.run(seed, .readers).trace, "seed \(seed)")
        }
    }
}
