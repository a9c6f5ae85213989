internal import Glibc
internal import Histogram
internal import RefreshServer
internal import WebSocketTransport

/// Runs a load test, and measures the server.
///
///     LoadRun -> one ClientLoop per thread -> LoadThread: LoadedSession -> frames, due by the plan
///             <- answers, identified by their pongs -> LoadTally -> LoadResults
package struct LoadRun: Sendable {
    /// The stage of a run.
    package enum Stage: Hashable, Sendable {
        case connecting, warmingUp, measuring, ending
    }

    private let plan: LoadPlan
    private let progress: (@Sendable (LoadProgress) -> Void)?

    /// The maximum time to wait for answers to `bye`, in microseconds.
    private static let byeTimeout: Int64 = 2_000_000
    /// The number of file descriptors that are not connections, such as those of event loops,
    /// timers and standard streams.
    private static let otherFilesCount = 100
    private static let pollInterval = Duration.milliseconds(20)

    /// Creates a load test. `progress` is called twice a second, from the caller's task.
    package init(_ plan: LoadPlan, progress: (@Sendable (LoadProgress) -> Void)? = nil) {
        self.plan = plan
        self.progress = progress
    }

    /// Runs the load test from the first connection to the last answer.
    ///
    /// - Throws: `LoadRunFailure` if a target sends no `welcome` at all, or if no thread can be
    ///   created.
    package func run() async throws(LoadRunFailure) -> LoadResults {
        let start = MonotonicClock.nowMicroseconds + 10_000
        let loops = try makeLoops(start: start)
        defer { for loop in loops { loop.stop() } }
        var progressPrinter = ProgressPrinter(plan: plan, progress: progress)

        var now = await wait(
            loops, .connecting, &progressPrinter, until: start + plan.ramp + plan.greetingTimeout
        ) { tallies in tallies.allSatisfy { $0.awaitingWelcome == 0 } }
        for (target, tally) in zip(plan.targets, now) where tally.greeted == 0 {
            await closeSessions(loops)
            throw LoadRunFailure(url: target.url, reason: tally.noGreetingReason)
        }
        let from = MonotonicClock.nowMicroseconds + plan.warmUp
        let window = from..<(from + plan.duration)
        for loop in loops { loop.post { ($0 as? LoadThread)?.measure(window) } }
        _ = await wait(loops, .warmingUp, &progressPrinter, until: from) { _ in false }
        let before = Usage(of: plan)
        _ = await wait(loops, .measuring, &progressPrinter, until: window.upperBound) { _ in false }
        let after = Usage(of: plan)
        now = await wait(
            loops, .ending, &progressPrinter, until: window.upperBound + plan.endingTimeout
        ) { tallies in
            tallies.allSatisfy { $0.pending == 0 && $0.returns.away == 0 }
        }
        progress?(LoadProgress(stage: nil, seconds: 0, totalSeconds: 0, targets: []))
        await closeSessions(loops)
        return results(now, before, after)
    }

    /// Ends all sessions with `bye` after the measurement.
    private func closeSessions(_ loops: [ClientLoop]) async {
        for loop in loops { loop.post { ($0 as? LoadThread)?.sendByes() } }
        let end = MonotonicClock.nowMicroseconds + Self.byeTimeout
        while MonotonicClock.nowMicroseconds < end {
            var leaving = 0
            for loop in loops { leaving += await query(loop, or: 0) { $0.leavingCount } }
            guard leaving > 0 else { return }
            try? await Task.sleep(for: Self.pollInterval)
        }
    }

    private func makeLoops(start: Int64) throws(LoadRunFailure) -> [ClientLoop] {
        // The limit of open files is raised before the loops are created, because each loop sizes
        // its tables by this limit.
        let files = plan.connections * plan.targets.count + Self.otherFilesCount
        if let limit = OpenFileLimit.raise(to: files) {
            throw LoadRunFailure(
                url: nil,
                reason: "\(files) open files are needed, but the limit is \(limit): see ulimit -n")
        }
        var loops: [ClientLoop] = []
        do {
            for index in 0..<plan.threads {
                loops.append(
                    try ClientLoop(index: index, trusting: plan.authorities) { [plan] core in
                        LoadThread(plan, index: index, start: start, core: core)
                    })
            }
            return loops
        } catch {
            for loop in loops { loop.stop() }
            throw LoadRunFailure(url: nil, reason: "\(error)")
        }
    }

    /// Waits until `end` or until `isSo` returns true. Returns the tallies at that moment.
    private func wait(
        _ loops: [ClientLoop], _ stage: Stage, _ progressPrinter: inout ProgressPrinter,
        until end: Int64,
        or isSo: ([LoadTally]) -> Bool
    ) async -> [LoadTally] {
        let begin = MonotonicClock.nowMicroseconds
        // During the measurement, tallies are collected only for progress reports.
        let pollsTallies = stage == .connecting || stage == .ending
        while true {
            let now = MonotonicClock.nowMicroseconds
            let reportsProgress = progress != nil && progressPrinter.isDue(at: now)
            if pollsTallies || reportsProgress || now >= end {
                let tallies = await tallies(of: loops)
                if reportsProgress {
                    progressPrinter.report(stage, tallies, now, since: begin, until: end)
                }
                if now >= end || isSo(tallies) { return tallies }
            }
            let rest = end - now
            try? await Task.sleep(for: min(Self.pollInterval, .microseconds(max(1, rest))))
        }
    }

    /// Returns the tallies of all threads, added up by target.
    private func tallies(of loops: [ClientLoop]) async -> [LoadTally] {
        var sums = plan.targets.map { _ in LoadTally() }
        for loop in loops {
            let part = await query(loop, or: []) { $0.currentTallies }
            for (index, tally) in part.enumerated() { sums[index] += tally }
        }
        return sums
    }

    /// Evaluates `what` on the thread of a loop and returns the result. If the loop has ended,
    /// returns `none`.
    private func query<Value: Sendable>(
        _ loop: ClientLoop, or none: Value, _ what: @escaping @Sendable (LoadThread) -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            let isPosted = loop.post { handler in
                continuation.resume(returning: (handler as? LoadThread).map(what) ?? none)
            }
            if !isPosted { continuation.resume(returning: none) }
        }
    }

    private func results(_ tallies: [LoadTally], _ before: Usage, _ after: Usage) -> LoadResults {
        let seconds = Double(plan.duration) / 1_000_000
        let targets = plan.targets.indices.map { index in
            LoadResults.Target(
                url: plan.targets[index].url, tally: tallies[index], seconds: seconds,
                process: plan.targets[index].process, reconnects: plan.reconnects,
                server: ProcessShare(
                    before.targets[index], after.targets[index], seconds: seconds,
                    messages: tallies[index].sent))
        }
        return LoadResults(
            connections: plan.connections, threads: plan.threads, pace: plan.pace,
            seconds: seconds, targets: targets,
            generator: ProcessShare(
                before.generator, after.generator, seconds: seconds,
                messages: tallies.reduce(0) { $0 + $1.sent }),
            lag: LoadResults.Times(
                tallies.dropFirst().reduce(into: tallies[0].lag) { $0.add($1.lag) }))
    }

    /// The resources that the observed processes have used so far.
    private struct Usage {
        let targets: [ObservedProcess?]
        let generator: ObservedProcess?

        init(of plan: LoadPlan) {
            targets = plan.targets.map { $0.process.flatMap(ObservedProcess.init) }
            generator = ObservedProcess(getpid())
        }
    }
}

/// The reason why the load test could not measure anything.
package struct LoadRunFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The URL of the target; nil if the target is not the cause.
    package let url: String?
    package let reason: String

    package var description: String { url.map { "\($0): \(reason)" } ?? reason }
}
