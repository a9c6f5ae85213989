import Conformance
import Foundation
import RefreshConfiguration
import RefreshServer
internal import ScenarioKit
import WebSocketTransport

/// `refresh-probe conform --listen …`: `refresh-probe` is the server, and tests a client.
extension ConformCommand {
    /// The time that `refresh-probe` waits for a driver, in milliseconds. The driver is the program
    /// that operates the client.
    private static let driverWaitMs = 60_000

    func grade(at address: ListenAddress) async throws {
        let chosen = ClientSuite.cases(
            of: try allClientCases(), inGroups: group.compactMap { ClientGroup(rawValue: $0) },
            matching: patterns)
        guard !chosen.isEmpty else {
            Terminal.printError("No case matches; --list prints the names of all cases.")
            throw ProbeStatus.unusable
        }
        guard !list else { return printList(chosen.map(\.statement)) }
        let grader = try grader(at: address)
        defer { grader.stop() }
        Terminal.printError("\(grader.url) \(grader.driverAddress)")
        let cleanup = command.isEmpty ? nil : SignalCleanup()
        defer { cleanup?.restoreDefaultHandlers() }
        let process = try startDriver(at: grader.driverAddress, cleanup)
        defer { process?.end() }
        let total = chosen.count
        let progress = CaseProgress(of: total, isShown: !json)
        let grade: ClientGrader.Grade
        do {
            grade = try await grader.grade(
                chosen, waitMs: Self.driverWaitMs, isComing: { process?.isRunning ?? true }
            ) { progress.count($0) }
            cleanup?.waitForSignalHandling()
        } catch {
            cleanup?.waitForSignalHandling()
            progress.end()
            Terminal.printError("expected \(error.expected), found \(error.came)")
            throw ProbeStatus.unreachable
        }
        progress.end()
        let report = ConformanceReport(
            client: grade.name, at: grader.url, results: grade.results)
        guard let why = grade.abandonment else { return try printReport(report) }
        try? printReport(report)
        Terminal.printError("\(why); not run: \(grade.notRunCount) of \(total) cases")
        throw ProbeStatus.unreachable
    }

    private func allClientCases() throws -> [ClientCase] {
        cases.isEmpty ? ClientSuite.cases : try read(ClientSuite.read)
    }

    private func grader(at address: ListenAddress) throws -> ClientGrader {
        let place = driver ?? address
        guard let host = address.literals.first, let driverHost = place.literals.first else {
            throw ProbeStatus.unusable
        }
        do {
            return try ClientGrader(
                host: host, port: address.port, driverHost: driverHost,
                driverPort: driver == nil ? 0 : place.port, timeoutMs: timeout * 1000)
        } catch {
            Terminal.printError("\(error)")
            throw ProbeStatus.unreachable
        }
    }

    /// Starts the driver with the command in the arguments. Returns nil if there is no command. In
    /// that case, the user starts the driver.
    private func startDriver(
        at address: String, _ cleanup: SignalCleanup?
    ) throws -> DriverProcess? {
        guard let cleanup else { return nil }
        do throws(DriverProcess.NotStarted) {
            return try cleanup.start(
                command,
                environment: ProcessInfo.processInfo.environment
                    .merging(["REFRESH_DRIVER": address]) { $1 })
        } catch {
            Terminal.printError("\(command[0]): \(error.reason)")
            throw ProbeStatus.unusable
        }
    }
}
