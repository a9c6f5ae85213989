import RefreshIndicator

/// So many frames of an indicator at one moment, and nothing else: what callgrind counts.
enum FrameSteps {
    /// - Throws: `BenchmarkError` when the moment has passed before the last frame.
    static func run(_ indicator: BuiltInIndicator, at moment: FrameBenchmark.Moment, count: Int)
        throws
    {
        var frames = FrameBenchmark(indicator.programme, at: moment, count: count)
        for item in 0..<count { frames.frame(item) }
        try frames.check(indicator.rawValue)
    }
}
