/// The reason why a configuration is invalid: all problems that were found, at least one.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    package var problems: [ConfigurationProblem]
    /// The exit status of the process.
    package var exitStatus: ExitStatus

    package init(_ problems: [ConfigurationProblem], exitStatus: ExitStatus = .configuration) {
        self.problems = problems
        self.exitStatus = exitStatus
    }

    package init(_ message: String, exitStatus: ExitStatus = .configuration) {
        self.init([ConfigurationProblem(message)], exitStatus: exitStatus)
    }

    /// One line per problem.
    package var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}

/// One problem in a configuration: its place and a message.
package struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
    /// A place in a configuration file. Lines and columns are counted from 1.
    package struct Location: Hashable, Sendable {
        package var file: String
        package var line: Int
        package var column: Int

        package init(file: String, line: Int, column: Int) {
            self.file = file
            self.line = line
            self.column = column
        }
    }

    /// The place of the problem; nil if the problem is not in a file.
    package var location: Location?
    /// The full key, as in `limits.frameBytesMax`; empty if the problem does not concern a key.
    package var key: String
    package var message: String

    package init(at place: Location? = nil, key: String = "", _ message: String) {
        self.location = place
        self.key = key
        self.message = message
    }

    /// `FILE:LINE:COLUMN: KEY: MESSAGE`, a form that editors parse.
    package var description: String {
        let place = location.map { "\($0.file):\($0.line):\($0.column): " } ?? ""
        return place + (key.isEmpty ? "" : key + ": ") + message
    }
}

/// The exit status of the process. The numbers are those of sysexits(3). Source:
/// docs/operations.md.
package enum ExitStatus: Int32, Sendable {
    /// The daemon stopped as requested, or a command such as `check-config` succeeded.
    case success = 0
    /// A flag is unknown or its value is wrong.
    case usage = 64
    /// The configuration file cannot be read.
    case noInput = 66
    /// An address is in use or does not belong to this machine.
    case unavailable = 69
    /// The system refused a thread, a socket or another resource.
    case system = 71
    /// The requested output cannot be printed.
    case output = 74
    /// The configuration is not valid, or the flags conflict with it.
    case configuration = 78
}
