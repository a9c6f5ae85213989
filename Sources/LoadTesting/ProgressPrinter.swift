internal import Histogram

/// Reports the progress of a load test twice a second.
struct ProgressPrinter {
    private let progress: (@Sendable (LoadProgress) -> Void)?
    private var lastReportAt: Int64 = 0
    private var sent: [Int]

    private static let reportInterval: Int64 = 500_000

    init(plan: LoadPlan, progress: (@Sendable (LoadProgress) -> Void)?) {
        self.progress = progress
        sent = plan.targets.map { _ in 0 }
    }

    func isDue(at now: Int64) -> Bool { now - lastReportAt >= Self.reportInterval }

    mutating func report(
        _ stage: LoadRun.Stage, _ tallies: [LoadTally], _ now: Int64, since begin: Int64,
        until end: Int64
    ) {
        let elapsed = lastReportAt > 0 ? Double(now - lastReportAt) / 1_000_000 : 0
        let targets = zip(tallies, sent).map { tally, before in
            LoadProgress.Target(
                connections: tally.greeted - tally.lost,
                messagesPerSecond: elapsed > 0
                    ? Int(Double(tally.totalSent - before) / elapsed) : 0,
                p50: tally.answered > 0 ? tally.latency.valueAtPercentile(50) : nil,
                p99: tally.answered > 0 ? tally.latency.valueAtPercentile(99) : nil,
                problemCount: tally.failed + tally.lost + tally.faults.values.reduce(0, +))
        }
        lastReportAt = now
        sent = tallies.map(\.totalSent)
        progress?(
            LoadProgress(
                stage: stage, seconds: Double(now - begin) / 1_000_000,
                totalSeconds: Double(end - begin) / 1_000_000, targets: targets))
    }
}
