import Foundation
import Testing
import Workbench

/// The built `refreshd`, run as a process.
struct Refreshd {
    /// How a run ended.
    struct Ending {
        var status: Int32
        var output: String
        var errors: String
    }

    /// The executable is in the folder of the test bundle, where the package manager places both.
    static var executable: URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("refreshd")
    }

    /// Runs the daemon until it ends.
    static func run(
        _ arguments: String..., environment: [String: String] = [:]
    ) throws -> Ending {
        let daemon = try RunningDaemon(arguments, environment: environment)
        return daemon.waitForEnd()
    }

    /// Writes a configuration file. The caller removes it.
    static func configuration(_ text: String) throws -> URL {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("refreshd-\(UUID().uuidString).yaml")
        try Data(text.utf8).write(to: file)
        return file
    }
}

/// A running `refreshd`. The process is killed when no reference to this object is left.
final class RunningDaemon {
    private let process = Process()
    private let output = Pipe()
    private let errors = FileManager.default.temporaryDirectory
        .appendingPathComponent("refreshd-\(UUID().uuidString).log")
    private var read = Data()

    /// `ignoring` is a signal, in the notation of the shell's `trap`, that is ignored at the start.
    /// `environment` is added to the environment of the tests.
    convenience init(
        _ arguments: [String], ignoring signal: String? = nil, environment: [String: String] = [:]
    ) throws {
        if let signal {
            let trap = #"trap "" "$1"; shift; exec "$@""#
            try self.init(
                program: "/bin/sh",
                ["-c", trap, "sh", signal, Refreshd.executable.path] + arguments,
                environment: environment)
        } else {
            try self.init(
                program: Refreshd.executable.path, arguments, environment: environment)
        }
    }

    /// Runs `program`, which must execute the daemon.
    init(program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    var processIdentifier: Int32 { process.processIdentifier }

    deinit {
        if process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            _ = process.waitForStatus()
        }
        try? FileManager.default.removeItem(at: errors)
    }

    /// Returns the first line on standard output without its line end. Nil if the process ended
    /// before.
    func firstLine() -> String? {
        while !read.contains(UInt8(ascii: "\n")) {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            read.append(more)
        }
        return String(decoding: read.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Whether the daemon currently ignores the signal.
    func ignores(_ signal: Int32) throws -> Bool {
        let path = "/proc/\(process.processIdentifier)/status"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("SigIgn:\t") }) else { return false }
        let set = UInt64(line.dropFirst("SigIgn:\t".count), radix: 16) ?? 0
        return set & 1 << UInt64(signal - 1) != 0
    }

    /// The text on standard error so far.
    var log: String {
        (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
    }

    /// Waits until the log contains `text`, for at most a minute (see `patience`).
    func logs(_ text: String) -> Bool {
        for _ in 0..<6000 * patience {
            if log.contains(text) { return true }
            usleep(10_000)
        }
        return false
    }

    /// Waits for the end of the process. Returns its output and status.
    func waitForEnd() -> Refreshd.Ending {
        read.append(output.fileHandleForReading.readDataToEndOfFile())
        return Refreshd.Ending(
            status: process.waitForStatus(), output: String(decoding: read, as: UTF8.self),
            errors: log)
    }
}
