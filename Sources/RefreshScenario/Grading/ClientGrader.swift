internal import Foundation
internal import RefreshProtocol
package import WebSocketTransport

/// Grades a client: the server it connects to, and the place where its driver comes. Source:
/// docs/conformance.md, "Grading a client".
package final class ClientGrader: Sendable {
    private let server: GradingServer
    private let listener: DriverListener
    private let patienceMs: Double

    /// Where the client is to connect.
    package var url: String { server.url }
    /// Where its driver is to connect, as `host:port`.
    package var driverAddress: String { listener.address }

    /// What was found.
    package struct Grade: Sendable {
        /// How the client calls itself.
        package var name: String
        /// In the order of the cases: all of them.
        package var results: [CaseResult]
        /// Why nothing more could be asked of the driver; nil: all was asked.
        package var abandonment: String?
        /// Cases that it was not there for.
        package var notAsked = 0
    }

    /// Listens at numeric addresses, alone; port 0 is a free one. `patienceMs`: how long the client
    /// may take to do what is expected.
    package init(
        host: String, port: UInt16, driverHost: String, driverPort: UInt16, patienceMs: Double
    ) throws(TransportError) {
        listener = try DriverListener(host: driverHost, port: driverPort)
        self.patienceMs = patienceMs
        server = try GradingServer(host: host, port: port)
    }

    /// Ends all connections; call once.
    package func stop() { server.stop() }

    /// Waits for a driver, and asks the cases one after the other. It blocks; a thread of its own
    /// does it. `isComing`: whether a driver may still come.
    /// - Throws: when no driver comes within `waitMs`, or what comes is none.
    package func grade(
        _ cases: [ClientCase], waitMs: Int, isComing: @escaping @Sendable () -> Bool = { true },
        _ report: @escaping @Sendable (CaseResult) -> Void
    ) async throws(StepFailure) -> Grade {
        let outcome = await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                continuation.resume(returning: run(cases, waitMs, isComing, report))
            }
        }
        return try outcome.get()
    }

    private func run(
        _ cases: [ClientCase], _ waitMs: Int, _ isComing: () -> Bool,
        _ report: (CaseResult) -> Void
    ) -> Result<Grade, StepFailure> {
        var socket: RawSocket?
        let deadline = GradingServer.nowMs + Double(waitMs)
        repeat {
            socket = listener.accept(withinMs: 200)
        } while socket == nil && isComing() && GradingServer.nowMs < deadline
        guard let socket else {
            return .failure(
                StepFailure(expected: "a driver at \(driverAddress)", came: "nobody"))
        }
        do throws(StepFailure) {
            let driver = try ClientDriver(socket, withinMs: Int(patienceMs))
            var grade = Grade(name: driver.name, results: [], abandonment: nil)
            for subject in cases {
                let result: CaseResult
                if let why = grade.abandonment {
                    result = .notAsked(subject.statement, because: why)
                    grade.notAsked += 1
                } else {
                    result = self.result(of: subject, driver)
                }
                report(result)
                grade.results.append(result)
                grade.abandonment = driver.whyGone
            }
            return .success(grade)
        } catch {
            return .failure(error)
        }
    }

    private func result(of subject: ClientCase, _ driver: ClientDriver) -> CaseResult {
        if let missing = subject.needs.first(where: { !driver.abilities.contains($0.rawValue) }) {
            return .skipped(subject.statement, for: missing.description)
        }
        let start = GradingServer.nowMs
        let trial = ClientTrial(server, driver, .shared, patienceMs: patienceMs)
        var result = CaseResult(subject: subject.statement, verdict: .passed)
        do throws(TrialEnd) {
            try subject.body(trial)
            try trial.end()
        } catch {
            switch error {
            case .notOffered(let what):
                result = .skipped(subject.statement, for: what)
            case .failed(let failure): result.take(failure, as: subject.level.verdict)
            case .unserved(let failure): result.take(failure, as: .failed)
            }
        }
        // Whatever came of it: the next case begins with a client that is not there yet.
        do throws(TrialEnd) {
            try trial.order("reset")
        } catch {
            switch error {
            case .failed(let failure), .unserved(let failure):
                if result.verdict != .failed { result.take(failure, as: .failed) }
            case .notOffered: break
            }
        }
        trial.forgetLines()
        if let finding = trial.findings.first {
            result.verdict = .failed
            result.reason = finding
        } else if result.verdict == .passed, let excess = trial.excess.first {
            result.verdict = .nonStrict
            result.reason = "a message says what the contract does not name: \(excess)"
        }
        result.talk = trial.talk
        result.durationMs = GradingServer.nowMs - start
        return result
    }
}

extension ClientTrial {
    /// The last look: the client is there, and has not hung up.
    func end() throws(TrialEnd) {
        try order("report")
        guard !isOver, leftLines.contains(line), newLines.isEmpty else { return }
        throw .failed(expected: "a client that stays", came: "the end of its connection")
    }

    /// Nothing of this case reaches the next one.
    func forgetLines() {
        for line in askedAtMs.keys where !leftLines.contains(line) { server.cut(line) }
        let deadline = GradingServer.nowMs + 2000
        while !Set(askedAtMs.keys).subtracting(refusedLines).isSubset(of: leftLines),
            GradingServer.nowMs < deadline
        {
            do { try take(untilMs: deadline) } catch { return }
        }
    }
}
