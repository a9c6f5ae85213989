/// The configuration of an `exec` backend's processes. Source: docs/backends.md, "exec".
package struct ExecOptions: Hashable, Sendable {
    /// The program by its absolute path, and its arguments. No shell interprets them.
    package var command: [String]
    /// The working directory, an absolute path.
    package var folder: String
    /// Variables in addition to `PATH` and `LANG`. They may override these two.
    package var environment: [String: String] = [:]
    /// The number of processes.
    package var processes = 1
    /// The maximum number of concurrent loads of one process.
    package var loadsPerProcess = 1
    /// The maximum length of a line of a process's output in bytes, without the line feed.
    package var lineBytesMax = 1_048_576
    /// The time in milliseconds that a process may take after `cancel`, a deadline or `bye` before
    /// it is killed.
    package var graceMs = 1000
    /// The pause before a process that ended is restarted, in milliseconds.
    package var restartBaseMs = 100
    /// The longest pause before a restart, in milliseconds.
    package var restartCapMs = 10_000

    package static let processesRange = 1...64
    package static let loadsPerProcessRange = 1...1000
    /// The range of `lineBytesMax`. The configuration limits it further, by
    /// `limits.backendResponseBytesMax`.
    package static let lineBytesRange = 1024...1_073_741_824
    package static let graceMsRange = 0...60_000
    package static let restartMsRange = 1...3_600_000

    package init(command: [String], folder: String) {
        self.command = command
        self.folder = folder
    }

    /// Throws an error with the configuration key of an invalid value. It checks no files, because
    /// the program and the folder may appear and disappear while the daemon runs.
    package func check() throws(BackendConfigurationError) {
        guard let program = command.first, program.hasPrefix("/") else {
            throw BackendConfigurationError(
                "command", "The program must be an absolute path.")
        }
        guard command.allSatisfy(Self.isText) else {
            throw BackendConfigurationError("command", "An argument contains a NUL.")
        }
        guard folder.hasPrefix("/"), Self.isText(folder) else {
            throw BackendConfigurationError("folder", "The folder must be an absolute path.")
        }
        for (name, value) in environment {
            guard !name.isEmpty, Self.isText(name), !name.utf8.contains(UInt8(ascii: "=")),
                Self.isText(value)
            else {
                throw BackendConfigurationError(
                    "environment",
                    "A variable has an empty name, a name with = or NUL, or a value with NUL."
                )
            }
        }
        try Self.check("processes", processes, in: Self.processesRange)
        try Self.check("loadsPerProcess", loadsPerProcess, in: Self.loadsPerProcessRange)
        try Self.check("lineBytesMax", lineBytesMax, in: Self.lineBytesRange)
        try Self.check("graceMs", graceMs, in: Self.graceMsRange)
        try Self.check("restartBaseMs", restartBaseMs, in: Self.restartMsRange)
        try Self.check("restartCapMs", restartCapMs, in: Self.restartMsRange)
        guard restartBaseMs <= restartCapMs else {
            throw BackendConfigurationError(
                "restartCapMs", "It must not be smaller than restartBaseMs.")
        }
    }

    private static func isText(_ text: String) -> Bool { !text.utf8.contains(0) }

    private static func check(
        _ key: String, _ value: Int, in range: ClosedRange<Int>
    ) throws(BackendConfigurationError) {
        guard range.contains(value) else {
            throw BackendConfigurationError(
                key, "It must be \(range.lowerBound) to \(range.upperBound).")
        }
    }
}
