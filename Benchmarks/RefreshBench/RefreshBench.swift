import AllocationCounter
import RefreshEngine
import RefreshIndicator

/// Runs the benchmarks that need no socket, and prints one JSON object. `refresh-bench` without
/// arguments measures the engine and a session, `refresh-bench frames` the indicators,
/// `refresh-bench broker` the load broker, and `refresh-bench crowd` the refreshes after a change
/// of a feed. `refresh-bench steps PROFILE COUNT` only passes COUNT samples to an engine, and
/// `refresh-bench looks INDICATOR MOMENT COUNT` only computes COUNT frames of an indicator. Both
/// are run under a profiler. `refresh-bench patch STEP COUNT` performs a step of `PatchBenchmark`
/// under a profiler; `refresh-bench patch` prints the bytes of a patch. `refresh-bench lists FILE`
/// prints the bytes of the refreshes through the lists of a file; with `patch COUNT` or
/// `replace COUNT`, it only performs them in COUNT sessions. `refresh-bench gesture JSON` prints
/// the messages of a client in a gesture (see `GestureScript`).
@main
enum RefreshBench {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        switch arguments.first {
        case "steps": return try step(arguments.dropFirst())
        case "looks": return try look(Array(arguments.dropFirst()))
        case "patch": return try patch(Array(arguments.dropFirst()))
        case "lists": return try lists(Array(arguments.dropFirst()))
        case "gesture": return print(try GestureScript.run(arguments.last ?? ""))
        default: try checkCounter()
        }
        if arguments.first == "broker" {
            return print("{\"broker_cpu_us\": \(try BrokerBenchmark.run())}")
        }
        if arguments.first == "crowd" { return print(try CrowdBenchmark.run()) }
        if arguments.first == "frames" { return print(try FrameReport.make()) }
        let engine = try EngineBenchmark.run()
        let session = try SessionBenchmark.run()
        print(
            """
            {"engine_events_per_second": \(engine.rate), \
            "engine_allocations_per_event": \(engine.allocations), \
            "session_messages_per_second": \(session.rate), \
            "session_allocations_per_message": \(session.allocations), \
            "view_bytes": \(ViewFootprint.measure()), \
            "view_bytes_per_key": \(try ViewFootprint.measureKeys(pageSize: 2000)), \
            "view_bytes_per_key_pages": \(try ViewFootprint.measureKeys(pageSize: 50)), \
            "fling_calls_ratio": \(try FlingBenchmark.run())}
            """)
    }

    private static func step(_ arguments: ArraySlice<String>) throws {
        guard let name = arguments.first, let profile = Profile(rawValue: name),
            let text = arguments.last, let count = Int(text)
        else { throw BenchmarkError.unexpected("steps PROFILE COUNT") }
        try EngineSteps.run(profile, count: count)
    }

    private static func patch(_ arguments: [String]) throws {
        if arguments.isEmpty { return print(try PatchBenchmark.bytes()) }
        guard arguments.count == 2, let step = PatchBenchmark.Step(rawValue: arguments[0]),
            let count = Int(arguments[1])
        else { throw BenchmarkError.unexpected("patch STEP COUNT") }
        try PatchBenchmark.run(step, count: count)
    }

    private static func lists(_ arguments: [String]) throws {
        guard let file = arguments.first else { throw BenchmarkError.unexpected("lists FILE") }
        let benchmark = try ListsBenchmark(file: file)
        if arguments.count == 1 { return print(try benchmark.bytes()) }
        guard arguments.count == 3, let count = Int(arguments[2]), count > 0 else {
            throw BenchmarkError.unexpected("lists FILE patch COUNT")
        }
        try benchmark.run(usesPatches: arguments[1] == "patch", count: count)
    }

    private static func look(_ arguments: [String]) throws {
        guard arguments.count == 3, let indicator = BuiltInIndicator(rawValue: arguments[0]),
            let moment = FrameBenchmark.Moment(rawValue: arguments[1]),
            let count = Int(arguments[2])
        else { throw BenchmarkError.unexpected("looks INDICATOR MOMENT COUNT") }
        try FrameSteps.run(indicator, at: moment, count: count)
    }

    /// Checks that the allocation counter works. A counter that always returned 0 would make the
    /// results look perfect.
    private static func checkCounter() throws {
        let before = allocation_count()
        var kept: [[UInt8]] = []
        for size in 100..<200 { kept.append([UInt8](repeating: 1, count: size)) }
        guard kept.count == 100, allocation_count() - before >= 100 else {
            throw BenchmarkError.unexpected("allocations are not counted")
        }
    }
}
