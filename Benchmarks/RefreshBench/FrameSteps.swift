import RefreshIndicator

/// Computes `count` frames of an indicator at one moment, and does nothing else. Callgrind counts
/// the instructions.
enum FrameSteps {
    /// - Throws: `BenchmarkError` if the moment has passed before the last frame.
    static func run(_ indicator: BuiltInIndicator, at moment: FrameBenchmark.Moment, count: Int)
        throws
    {
        var frames = FrameBenchmark(indicator.programme, at: moment, count: count)
        for item in 0..<count { frames.frame(item) }
        try frames.check(indicator.rawValue)
    }
}
