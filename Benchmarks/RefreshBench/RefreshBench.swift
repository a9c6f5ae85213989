import AllocationCounter
import RefreshEngine

/// Measures what needs no socket and prints one JSON object; `refresh-bench steps PROFILE COUNT` only does so
/// many steps of an engine, for a profiler to count.
@main
enum RefreshBench {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "steps" { return try step(arguments.dropFirst()) }
        try checkCounter()
        let engine = try EngineBenchmark.run()
        let session = try SessionBenchmark.run()
        print(
            """
            {"engine_events_per_second": \(engine.rate), \
            "engine_allocations_per_event": \(engine.allocations), \
            "session_messages_per_second": \(session.rate), \
            "session_allocations_per_message": \(session.allocations), \
            "view_bytes": \(ViewFootprint.measure())}
            """)
    }

    private static func step(_ arguments: ArraySlice<String>) throws {
        guard let name = arguments.first, let profile = Profile(rawValue: name),
            let text = arguments.last, let count = Int(text)
        else { throw BenchmarkError.unexpected("steps PROFILE COUNT") }
        try EngineSteps.run(profile, count: count)
    }

    /// A counter that counts nothing would report the best of results.
    private static func checkCounter() throws {
        let before = allocation_count()
        var kept: [[UInt8]] = []
        for size in 100..<200 { kept.append([UInt8](repeating: 1, count: size)) }
        guard kept.count == 100, allocation_count() - before >= 100 else {
            throw BenchmarkError.unexpected("allocations are not counted")
        }
    }
}
