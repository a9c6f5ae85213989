import RefreshIndicator

/// The cost of a frame of each built-in indicator and of the largest possible programme, as one
/// JSON object.
enum FrameReport {
    static func make() throws -> String {
        var costs: [(name: String, costs: [FrameBenchmark.Cost])] = []
        for indicator in BuiltInIndicator.allCases {
            let name = indicator.rawValue
            costs.append((name, try FrameBenchmark.measure(name, indicator.programme)))
        }
        let all = costs.flatMap(\.costs)
        let largest = try [FrameBenchmark.Moment.pull, .run].map {
            try FrameBenchmark.measure("the largest", LargestProgramme.make(at: $0), at: $0)
        }
        let indicators = costs.map { name, costs in
            let moments = costs.map { "\"\($0.moment.rawValue)\":\($0.microseconds)" }
            return "\"\(name)\":{\(moments.joined(separator: ","))}"
        }
        return """
            {"frame_us": \(all.map(\.microseconds).max() ?? 0), \
            "frame_allocations": \(all.map(\.allocations).max() ?? 0), \
            "frame_us_largest": \(largest.map(\.microseconds).max() ?? 0), \
            "frames": {\(indicators.joined(separator: ","))}}
            """
    }
}
