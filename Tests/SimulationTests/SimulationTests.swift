import Glibc
import Simulation
import Testing

/// Simulates whole daemons, clients and networks in one process. `SIMULATION_SEED` selects a single
/// seed. Source: docs/simulation.md.
struct SimulationTests {
    private static let seeds: Range<UInt64> = {
        let chosen = unsafe getenv("SIMULATION_SEED").flatMap { unsafe UInt64(String(cString: $0)) }
        return chosen.map { $0..<$0 + 1 } ?? 1..<201
    }()

    @Test("After losses, disconnections and crashes, clients and daemons agree in the end")
    func worlds() {
        var tally: [String: Int] = [:]
        for seed in Self.seeds {
            let verdict = SimulatedWorlds.run(seed)
            tally.merge(verdict.tally, uniquingKeysWith: +)
            guard verdict.failure != nil else { continue }
            guard let smallest = SimulatedWorlds.smallest(seed) else {
                Issue.record("seed \(seed) failed, but not when its run was repeated")
                continue
            }
            Issue.record("\(smallest.report)\n\(smallest.log.suffix(25).joined(separator: "\n"))")
        }
        guard Self.seeds.count > 1 else { return }
        // Most of the loads during which a connection breaks are continued. Only a few fail before
        // the client has resumed.
        let resumedCount = tally["interrupted load continued", default: 0]
        #expect(resumedCount >= 40)
        #expect(tally["interrupted load lost", default: 0] * 5 <= resumedCount)
    }

    /// The recorded value ensures that features change nothing for clients without features. Change
    /// this value only if the protocol changes for all clients. `scripts/simulate 25` prints the
    /// value.
    @Test("Worlds whose clients have no features have the recorded traces")
    func recordedTrace() {
        let trace = (1..<26 as Range<UInt64>).reduce(0 as UInt64) {
            $0 &* 31 &+ SimulatedWorlds.run($1).trace
        }
        #expect(trace == 0x31B2_1376_C71B_AE6B)
    }

    @Test("Two runs with the same seed give the same trace")
    func determinism() {
        for seed in 1..<11 as Range<UInt64> {
            #expect(
                SimulatedWorlds.run(seed).trace == SimulatedWorlds.run(seed).trace, "seed \(seed)")
        }
    }
}
