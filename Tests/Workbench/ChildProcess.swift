import Foundation

/// Runs a program and returns its exit status. `variables` are added to the environment.
package func runProgram(
    _ path: String, _ arguments: [String], _ variables: [String: String] = [:]
) async throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    return try await withCheckedThrowingContinuation { continuation in
        process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
        do { try process.run() } catch { continuation.resume(throwing: error) }
    }
}

extension Process {
    /// Waits for the end of the process. Returns its exit status, or the negative number of the
    /// signal that has ended it.
    ///
    /// `waitUntilExit` waits until a socket is closed that the process holds. If another thread
    /// starts a process at the same moment, this process inherits the socket too, and
    /// `waitUntilExit` waits for both.
    @discardableResult
    package func waitForStatus() -> Int32 {
        var ending = unsafe siginfo_t()
        var result: Int32
        repeat {
            // The process remains for Foundation, which also waits for it.
            result = unsafe waitid(P_PID, id_t(processIdentifier), &ending, WEXITED | WNOWAIT)
        } while result == -1 && errno == EINTR
        guard result == 0 else {
            // Foundation was first.
            waitUntilExit()
            return terminationReason == .exit ? terminationStatus : -terminationStatus
        }
        let status = unsafe ending._sifields._sigchld.si_status
        return unsafe ending.si_code == Int32(CLD_EXITED) ? status : -status
    }
}

/// Runs the tests that match `filter` in a process of their own, in which no other tests run, and
/// returns its exit status.
package func runTestsAlone(
    _ filter: String, _ variables: [String: String] = [:]
) async throws -> Int32 {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let arguments = ["--testing-library", "swift-testing", "--filter", filter]
    return try await runProgram(program, arguments, variables)
}
