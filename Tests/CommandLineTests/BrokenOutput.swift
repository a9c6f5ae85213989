import Foundation
import Glibc
import Workbench

/// A broken destination for a tool's standard output: it accepts no data.
enum BrokenOutput: String, CaseIterable {
    case closed
    case fullDisk
    case readerGone

    /// Runs a program with this standard output. Returns its exit status and its standard error.
    func run(_ program: URL, _ arguments: [String]) throws -> Refreshd.Ending {
        let process = Process()
        let errors = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardError = errors
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let redirection =
            switch self {
            case .closed: ">&-"
            case .fullDisk: ">/dev/full"
            case .readerGone: ""
            }
        process.arguments = ["-c", #"exec "$@" \#(redirection)"#, "sh", program.path] + arguments
        if self == .readerGone {
            let output = Pipe()
            process.standardOutput = output
            try output.fileHandleForReading.close()
        }
        try process.run()
        let complaints = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitForStatus()
        return Refreshd.Ending(
            status: process.waitForStatus(), output: "",
            errors: String(decoding: complaints, as: UTF8.self))
    }

    /// The error message, which the program must print once.
    var complaint: String {
        switch self {
        case .closed: "standard output: Bad file descriptor\n"
        case .fullDisk: "standard output: No space left on device\n"
        case .readerGone: ""
        }
    }

    /// The expected exit status. `failure` is the program's status if its output cannot be written.
    func status(failure: Int32) -> Int32 { self == .readerGone ? -SIGPIPE : failure }
}

extension ProbeTests {
    /// Runs the built `refresh-probe` to its end, with standard output and standard error on a
    /// terminal. Returns all that was written to the terminal.
    static func onTerminal(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws -> Refreshd.Ending {
        let terminal = try PseudoTerminal()
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .filter { $0.key != "NO_COLOR" }
            .merging(["TERM": "xterm"]) { $1 }.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = terminal.end
        process.standardError = terminal.end
        try process.run()
        try terminal.end.close()
        let output = terminal.readToEnd().replacing("\r\n", with: "\n")
        process.waitForStatus()
        return Refreshd.Ending(status: process.waitForStatus(), output: output, errors: "")
    }
}
