internal import Histogram

/// Reports the progress of a run twice a second.
struct ProgressPrinter {
    private let progress: (@Sendable (LoadProgress) -> Void)?
    private var toldAt: Int64 = 0
    private var sent: [Int]

    private static let every: Int64 = 500_000

    init(plan: LoadPlan, progress: (@Sendable (LoadProgress) -> Void)?) {
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
