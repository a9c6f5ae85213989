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
