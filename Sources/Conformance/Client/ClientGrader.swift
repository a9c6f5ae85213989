internal import Foundation
internal import RefreshProtocol
package import ScenarioKit
package import WebSocketTransport

/// Grades a client, which means that it tests the client with all cases. The grader runs the server
/// to which the client connects, and listens for the client's driver. Source: docs/conformance.md,
/// "Grading a client".
package final class ClientGrader: Sendable {
    private let server: GradingServer
    private let listener: DriverListener
    private let timeoutMs: Double

    /// The URL to which the client must connect.
    package var url: String { server.url }
    /// The address to which the driver must connect, as `host:port`.
    package var driverAddress: String { listener.address }

    /// The result of grading a client.
    package struct Grade: Sendable {
        /// The name that the client gives itself.
        package var name: String
        /// The results, in the order of the cases.
        package var results: [CaseResult]
        /// The reason why the remaining cases were not run with this driver. Nil if all cases were
        /// run.
        package var abandonment: String?
        /// The number of cases that were not run because the driver was unusable.
        package var notRunCount = 0
    }

    /// Listens at numeric addresses, at ports that no other process shares. Port 0 selects a free
    /// port. `timeoutMs` is the time that the client has for each expected action.
    package init(
        host: String, port: UInt16, driverHost: String, driverPort: UInt16, timeoutMs: Double
    ) throws(TransportError) {
        listener = try DriverListener(host: driverHost, port: driverPort)
        self.timeoutMs = timeoutMs
        server = try GradingServer(host: host, port: port)
    }

    /// Closes all connections. Call this once.
    package func stop() { server.stop() }

    /// Waits for a driver and runs the cases in sequence. The cases block, so they run on a
    /// separate thread. `isComing` returns whether a driver can still connect.
    ///
    /// - Throws: if no driver connects within `waitMs`, or if its first line is invalid.
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
                StepFailure(expected: "a driver at \(driverAddress)", came: "no driver"))
        }
        do throws(StepFailure) {
            let driver = try ClientDriver(socket, withinMs: Int(timeoutMs))
            var grade = Grade(name: driver.name, results: [], abandonment: nil)
            for subject in cases {
                let result: CaseResult
                if let why = grade.abandonment {
                    result = .notRun(subject.statement, because: why)
                    grade.notRunCount += 1
                } else {
                    result = self.result(of: subject, driver)
                }
                report(result)
                grade.results.append(result)
                grade.abandonment = driver.unusableReason
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
        let trial = ClientTrial(server, driver, .shared, timeoutMs: timeoutMs)
        var result = CaseResult(subject: subject.statement, verdict: .passed)
        do throws(TrialEnd) {
            try trial.play(subject.steps)
            try trial.expectStillConnected()
        } catch {
            switch error {
            case .notOffered(let what):
                result = .skipped(subject.statement, for: what)
            case .failed(let failure): result.recordFailure(failure, as: subject.level.verdict)
            case .driverFailed(let failure): result.recordFailure(failure, as: .failed)
            }
        }
        // Whatever the result of a case is, the next case must start with a client that is not
        // connected.
        do throws(TrialEnd) {
            try trial.order("reset")
        } catch {
            switch error {
            case .failed(let failure), .driverFailed(let failure):
                if result.verdict != .failed { result.recordFailure(failure, as: .failed) }
            case .notOffered: break
            }
        }
        trial.closeAllConnections()
        if let finding = trial.violations.first {
            result.verdict = .failed
            result.reason = finding
        } else if result.verdict == .passed, let excess = trial.undocumentedMembers.first {
            result.verdict = .nonStrict
            result.reason = "a message has a member that the contract does not define: \(excess)"
        }
        result.transcript = trial.transcript
        result.durationMs = GradingServer.nowMs - start
        return result
    }
}

extension ClientTrial {
    /// Checks at the end of a case that the client is still connected.
    func expectStillConnected() throws(TrialEnd) {
        try order("report")
        guard !expectsDisconnect, endedConnections.contains(connection), newConnections.isEmpty
        else { return }
        throw .failed(expected: "a client that stays connected", came: "the end of its connection")
    }

    /// Closes all connections, so that this case does not affect the next one.
    func closeAllConnections() {
        for line in upgradeRequestedAtMs.keys where !endedConnections.contains(line) {
            server.cut(line)
        }
        let deadline = GradingServer.nowMs + 2000
        while !Set(upgradeRequestedAtMs.keys).subtracting(refusedConnections).isSubset(
            of: endedConnections),
            GradingServer.nowMs < deadline
        {
            do { try receiveEvents(untilMs: deadline) } catch { return }
        }
    }
}
