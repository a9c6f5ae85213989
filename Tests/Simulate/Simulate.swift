import Glibc
import Simulation

/// Runs simulated worlds: `simulate [KIND] [COUNT [FIRST]]`. `KIND` is `--readers [--server
/// VARIANT]`, `--cluster [--defect DEFECT]` or `--live [--defect DEFECT]`. With `--seed SEED` in
/// place of the numbers, it runs one world and prints all its messages. Source: docs/simulation.md.
@main
enum Simulate {
    static func main() {
        var arguments = Array(CommandLine.arguments.dropFirst())
        var kind = SimulatedWorlds.Kind.plain
        if arguments.first == "--readers" {
            arguments.removeFirst()
            var variant = ServerVariant.correct
            if arguments.first == "--server" {
                guard let named = arguments.dropFirst().first.flatMap(ServerVariant.init) else {
                    return usage()
                }
                variant = named
                arguments.removeFirst(2)
            }
            kind = .readers(variant)
        } else if arguments.first == "--cluster" {
            arguments.removeFirst()
            var defect: ClusterDefect?
            if arguments.first == "--defect" {
                defect = arguments.dropFirst().first.flatMap(ClusterDefect.init)
                guard defect != nil else { return usage() }
                arguments.removeFirst(2)
            }
            kind = .cluster(defect)
        } else if arguments.first == "--live" {
            arguments.removeFirst()
            var defect: LiveDefect?
            if arguments.first == "--defect" {
                defect = arguments.dropFirst().first.flatMap(LiveDefect.init)
                guard defect != nil else { return usage() }
                arguments.removeFirst(2)
            }
            kind = .live(defect)
        }
        if arguments.first == "--seed" {
            guard arguments.count == 2, let seed = UInt64(arguments[1]) else { return usage() }
            show(seed, kind)
        } else {
            let numbers = arguments.compactMap { UInt64($0) }
            guard numbers.count == arguments.count, numbers.count <= 2 else { return usage() }
            runAll(count: numbers.first ?? 10_000, first: numbers.count > 1 ? numbers[1] : 1, kind)
        }
    }

    private static func usage() {
        print(
            """
            usage: simulate [KIND] [COUNT [FIRST]]
                   simulate [KIND] --seed SEED
            KIND:  --readers [--server VARIANT] | --cluster [--defect DEFECT] | --live [--defect DEFECT]
            """)
        exit(64)
    }

    private static func show(_ seed: UInt64, _ kind: SimulatedWorlds.Kind) {
        let verdict = SimulatedWorlds.run(seed, kind, isLogging: true)
        for line in verdict.log { print(line) }
        print(verdict.report)
        exit(verdict.failure == nil ? 0 : 1)
    }

    private static func runAll(count: UInt64, first: UInt64, _ kind: SimulatedWorlds.Kind) {
        var failures: [UInt64] = []
        var tally: [String: Int] = [:]
        var trace: UInt64 = 0
        for seed in first..<first + count {
            let verdict = SimulatedWorlds.run(seed, kind)
            tally.merge(verdict.tally, uniquingKeysWith: +)
            trace = trace &* 31 &+ verdict.trace
            guard verdict.failure != nil else { continue }
            failures.append(seed)
            print(verdict.report)
            // Flushes the output, so that a failure appears at once, even if the output is a file.
            defer { fflush(nil) }
            if failures.count <= 3, let smallest = SimulatedWorlds.smallest(seed, kind) {
                print("smallest:")
                for line in smallest.log.suffix(60) { print("  \(line)") }
                print("  \(smallest.report)")
            }
        }
        for (what, times) in tally.sorted(by: { $0.key < $1.key }) { print("\(what): \(times)") }
        print("trace \(String(trace, radix: 16))")
        print("\(count) seeds from \(first), \(failures.count) failed \(failures.prefix(50))")
        exit(failures.isEmpty ? 0 : 1)
    }
}
