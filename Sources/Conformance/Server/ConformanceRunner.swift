internal import Foundation
internal import RefreshProtocol
package import ScenarioKit
internal import WebSocketTransport

/// Runs cases of the suite against a server and collects the verdicts.
package struct ConformanceRunner: Sendable {
    private let server: ServerUnderTest
    /// The server's description of itself.
    package let survey: ServerSurvey
    private let timeoutMs: Double
    private let checks = ConformanceChecks.shared

    /// Queries the server's features and creates a runner. `timeoutMs` is the time in milliseconds
    /// that the server has for each expected action.
    ///
    /// - Throws: if no server is reachable, or if the server does not implement the protocol.
    package init(_ server: ServerUnderTest, timeoutMs: Double) async throws(StepFailure) {
        self.server = server
        self.timeoutMs = timeoutMs
        survey = try await ServerSurvey(server, timeoutMs: timeoutMs)
    }

    /// Runs the cases, at most `limit` at a time. Long cases start first. Cases with the feed
    /// `board` run one after the other, because their changes concern all views of this feed.
    /// `report` is called with each result as soon as its case has ended. The returned results are
    /// in the order of the cases.
    package func run(
        _ cases: [ConformanceCase], atOneTime limit: Int, _ report: (CaseResult) -> Void = { _ in }
    ) async -> [CaseResult] {
        var results = [CaseResult?](repeating: nil, count: cases.count)
        let isShared = { (index: Int) in cases[index].requirements.contains(.feed("board")) }
        let shared = cases.indices.filter(isShared)
        let order =
            (shared.isEmpty ? [] : [shared])
            + cases.indices.filter { !isShared($0) }.sorted {
                cases[$0].durationMsMin > cases[$1].durationMsMin
            }.map { [$0] }
        await withTaskGroup(of: ([Int], CaseResult).self) { group in
            var waiting = order.makeIterator()
            func start(_ lane: [Int]?) {
                guard let lane, let index = lane.first else { return }
                let subject = cases[index]
                let pauses = index != shared.first && isShared(index) && server.address != nil
                group.addTask {
                    if pauses { try? await Task.sleep(for: Self.pauseAfterChanges) }
                    return (lane, await result(of: subject))
                }
            }
            for _ in 0..<max(1, limit) { start(waiting.next()) }
            while let (lane, result) = await group.next() {
                results[lane[0]] = result
                report(result)
                let rest = Array(lane.dropFirst())
                start(rest.isEmpty ? waiting.next() : rest)
            }
        }
        return results.compactMap { $0 }
    }

    /// A server may report changes together, up to 100 ms late. Source: docs/backends.md,
    /// "Changes".
    private static let pauseAfterChanges = Duration.milliseconds(150)

    private func result(of subject: ConformanceCase) async -> CaseResult {
        if let missing = survey.unmetRequirement(for: subject.requirements) {
            return .skipped(subject.statement, for: missing.description)
        }
        let start = MonotonicClock.nowMicroseconds
        var result: CaseResult
        switch subject.body {
        case .probe(let probe): result = await self.result(of: subject, probe)
        case .script(let acts):
            result = await evaluate(subject) { session throws(StepFailure) in
                for act in acts {
                    for name in act.cut { await session.cut(name) }
                    try await session.play(act.phase, on: act.connection)
                }
            }
        case .exchange(let exchange): result = await evaluate(subject, exchange)
        }
        result.durationMs = Double(MonotonicClock.nowMicroseconds - start) / 1000
        return result
    }

    private func evaluate(
        _ subject: ConformanceCase,
        _ exchange: (ConformanceSession) async throws(StepFailure) -> Void
    ) async -> CaseResult {
        let session = ConformanceSession(server, survey, checks, timeoutMs: timeoutMs)
        var result = CaseResult(subject: subject.statement, verdict: .passed)
        do throws(StepFailure) {
            try await exchange(session)
            try await session.end()
        } catch {
            result.verdict = subject.level.verdict
            result.expected = error.expected
            result.came = error.came
            result.step = error.step
            result.differences = error.mismatches.map(\.description)
            result.reason = "expected \(error.expected), found \(error.came)"
        }
        await session.closeAllConnections()
        result.transcript = session.transcript
        if result.verdict == .passed, let finding = session.violations.first {
            result.verdict = .failed
            result.reason = "a message violates the contract: \(finding)"
        } else if result.verdict == .passed, let excess = session.undocumentedMembers.first {
            result.verdict = .nonStrict
            result.reason = "a message has a member that the contract does not define: \(excess)"
        }
        return result
    }

    private func result(
        of subject: ConformanceCase, _ probe: HandshakeProbe
    ) async -> CaseResult {
        guard let address = server.address else {
            return .skipped(
                subject.statement, for: "bare sockets (a server at a ws:// URL)")
        }
        // The server has `timeoutMs` to react. If the probe tests a timeout that the server
        // announces, this timeout is added.
        let awaitedMs = probe.awaitedLimit.flatMap { survey.limit($0) } ?? 0
        let run = HandshakeRun(
            host: address.host, port: address.port, path: address.path,
            timeoutMs: Int(awaitedMs + timeoutMs))
        // The call blocks, so it runs on a separate thread. All other cases share the threads of
        // the pool.
        let outcome = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: run.run(probe)) }
        }
        var result = CaseResult(
            subject: subject.statement, verdict: outcome.verdict.conformanceVerdict)
        let came = Exchange(side: .daemon, afterMs: 0, text: outcome.outcome.description)
        let sent = Exchange(side: .client, afterMs: 0, text: probe.description)
        result.transcript = [.init(connection: "socket", phase: probe.id, exchanges: [sent, came])]
        if result.verdict != .passed {
            result.expected = probe.expectation
            result.came = outcome.outcome.description
            result.reason = "expected: \(probe.expectation); the server \(outcome.outcome)"
        }
        return result
    }
}

extension ConformanceCase.Level {
    /// The verdict on a server that deviates from the statement.
    var verdict: CaseResult.Verdict {
        switch self {
        case .must: .failed
        case .should: .nonStrict
        case .may: .informational
        }
    }
}

extension HandshakeRun.Verdict {
    fileprivate var conformanceVerdict: CaseResult.Verdict {
        switch self {
        case .passed: .passed
        case .deviates: .nonStrict
        case .failed: .failed
        }
    }
}
