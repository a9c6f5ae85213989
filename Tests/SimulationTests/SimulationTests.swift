import Glibc
import Simulation
import Testing

/// Whole daemons, clients and networks in one process. `SIMULATION_SEED` runs one seed alone.
/// Source: docs/simulation.md.
struct SimulationTests {
    private static let seeds: Range<UInt64> = {
        let chosen = unsafe getenv("SIMULATION_SEED").flatMap { unsafe UInt64(String(cString: $0)) }
        return chosen.map { $0..<$0 + 1 } ?? 1..<201
    }()

    @Test("whatever is lost, cut off or killed, clients and daemons agree in the end")
    func worlds() {
        for seed in Self.seeds {
            guard SimulatedWorlds.run(seed).failure != nil else { continue }
            guard let smallest = SimulatedWorlds.smallest(seed) else {
                Issue.record("seed \(seed) failed once, and then did not")
                continue
            }
            Issue.record("\(smallest.report)\n\(smallest.log.suffix(25).joined(separator: "\n"))")
        }
    }

    @Test("the same seed is the same world")
    func determinism() {
        for seed in 1..<11 as Range<UInt64> {
            #expect(
                SimulatedWorlds.run(seed).trace == SimulatedWorlds.run(seed).trace, "seed \(seed)")
        }
    }
}
