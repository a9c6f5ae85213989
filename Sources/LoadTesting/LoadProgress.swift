/// The progress of a load test, for display.
package struct LoadProgress: Hashable, Sendable {
    /// The progress of one target. `messagesPerSecond` is the rate since the last report.
    package struct Target: Hashable, Sendable {
        package var connections: Int
        package var messagesPerSecond: Int
        /// The median of the latency in microseconds, over the whole measurement so far. `p99` is
        /// the 99th percentile. Nil before the first answer.
        package var p50: UInt64?
        package var p99: UInt64?
        package var problemCount: Int
    }

    /// The current stage; nil after the last stage.
    package var stage: LoadRun.Stage?
    /// The elapsed seconds of the stage, and its maximum duration in seconds.
    package var seconds: Double
    package var totalSeconds: Double
    package var targets: [Target]

    /// The progress in one line.
    package var text: String {
        let stage =
            switch stage {
            case .connecting: "connecting"
            case .warmingUp: "warming up"
            case .measuring: "\(Int(seconds)) of \(Int(totalSeconds.rounded())) s"
            case .ending: "waiting for the last answers"
            case nil: ""
            }
        let shown = targets.map { target in
            var text = "\(target.connections) connections, \(target.messagesPerSecond) messages/s"
            if let p50 = target.p50, let p99 = target.p99 {
                text += ", p50 \(LoadResults.time(p50)), p99 \(LoadResults.time(p99))"
            }
            if target.problemCount > 0 { text += ", \(target.problemCount) problems" }
            return text
        }
        return ([stage] + shown).joined(separator: "  |  ")
    }
}
