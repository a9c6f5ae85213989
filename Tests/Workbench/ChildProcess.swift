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

/// Runs the tests that match `filter` in a process of their own, in which no other tests run, and
/// returns its exit status.
package func runTestsAlone(
    _ filter: String, _ variables: [String: String] = [:]
) async throws -> Int32 {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let arguments = ["--testing-library", "swift-testing", "--filter", filter]
    return try await runProgram(program, arguments, variables)
}
