internal import Histogram

/// How far a run is, for whoever watches it.
package struct LoadProgress: Hashable, Sendable {
    /// One target, since it was last told.
    package struct Target: Hashable, Sendable {
        package var connections: Int
        package var messagesPerSecond: Int
        /// Microseconds, of all that was measured so far; nil before.
        package var p50: UInt64?
        package var p99: UInt64?
        package var troubles: Int
    }

    /// Nil: it is over.
    package var stage: LoadRun.Stage?
    /// How many seconds of the stage are over, of how many at most.
    package var seconds: Double
    package var of: Double
    package var targets: [Target]

    /// In one line.
    package var text: String {
        let stage =
            switch stage {
            case .connecting: "connecting"
            case .warmingUp: "warming up"
            case .measuring: "\(Int(seconds)) of \(Int(of.rounded())) s"
            case .ending: "waiting for the last answers"
            case nil: ""
            }
        let shown = targets.map { target in
            var text = "\(target.connections) connections, \(target.messagesPerSecond) messages/s"
            if let p50 = target.p50, let p99 = target.p99 {
                text += ", p50 \(LoadFindings.time(p50)), p99 \(LoadFindings.time(p99))"
            }
            if target.troubles > 0 { text += ", \(target.troubles) troubles" }
            return text
        }
        return ([stage] + shown).joined(separator: "  |  ")
    }
}

/// Tells of progress twice a second.
struct Teller {
    let plan: LoadPlan
    let progress: (@Sendable (LoadProgress) -> Void)?
    private var toldAt: Int64 = 0
    private var sent: [Int]

    private static let every: Int64 = 500_000

    init(plan: LoadPlan, progress: (@Sendable (LoadProgress) -> Void)?) {
        self.plan = plan
        self.progress = progress
        sent = plan.targets.map { _ in 0 }
    }

    func isDue(at now: Int64) -> Bool { now - toldAt >= Self.every }

    mutating func tell(
        _ stage: LoadRun.Stage, _ tallies: [LoadTally], _ now: Int64, since begin: Int64,
        until end: Int64
    ) {
        let elapsed = toldAt > 0 ? Double(now - toldAt) / 1_000_000 : 0
        let targets = zip(tallies, sent).map { tally, before in
            LoadProgress.Target(
                connections: tally.greeted - tally.lost,
                messagesPerSecond: elapsed > 0
                    ? Int(Double(tally.sentEver - before) / elapsed) : 0,
                p50: tally.answered > 0 ? tally.latency.valueAtPercentile(50) : nil,
                p99: tally.answered > 0 ? tally.latency.valueAtPercentile(99) : nil,
                troubles: tally.failed + tally.lost + tally.faults.values.reduce(0, +))
        }
        toldAt = now
        sent = tallies.map(\.sentEver)
        progress?(
            LoadProgress(
                stage: stage, seconds: Double(now - begin) / 1_000_000,
                of: Double(end - begin) / 1_000_000, targets: targets))
    }
}
