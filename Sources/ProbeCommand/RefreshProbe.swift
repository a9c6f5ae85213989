import ArgumentParser
import Foundation
internal import RefreshProtocol
import RefreshServer

/// The command `refresh-probe`. It tests and observes a daemon from the client's side.
struct RefreshProbe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh-probe",
        abstract:
            "Tests servers and clients of refresh.v1, and replays, watches and draws sessions.",
        discussion: """
            Works with any server of the refresh.v1 protocol. docs/refresh-probe.md describes the \
            commands.

            Exit status of every command: 0 the result is as expected, 1 the result is not as \
            expected, 2 the command line is invalid or a file cannot be used, 3 the server cannot \
            be reached.
            """,
        version: DaemonVersion.current,
        subcommands: [
            RunCommand.self, ConformCommand.self, LoadCommand.self, RecordCommand.self,
            ReplayCommand.self, NewScenarioCommand.self,
            WatchCommand.self, PlotCommand.self, ExplainCommand.self,
        ])

    /// Prints the help and fails, so that a script notices that the subcommand is missing.
    func run() throws {
        Terminal.printError(Self.helpMessage())
        throw ProbeStatus.unusable
    }

    static func main() async {
        StandardStream.reserveStandardDescriptors()
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let status as ProbeStatus {
            Foundation.exit(status.rawValue)
        } catch {
            // A wrong command line exits with 2, not with 64 as in sysexits.h. `--help` and
            // `--version` exit with 0.
            guard exitCode(for: error) != .success else {
                return Terminal.printLine(fullMessage(for: error))
            }
            Terminal.printError(fullMessage(for: error))
            Foundation.exit(ProbeStatus.unusable.rawValue)
        }
    }
}

/// The exit statuses of `refresh-probe`, which are the same for every command. 0 is success.
/// Source: docs/refresh-probe.md, "Exit statuses".
enum ProbeStatus: Int32, Error {
    /// The result is negative. For example, a scenario failed, the replay of a journal differed
    /// from the recording, or a code is unknown.
    case failed = 1
    /// The command line is wrong, or a file cannot be read, parsed or written.
    case unusable = 2
    /// The daemon could not be reached, the daemon refused the connection, or the connection was
    /// lost.
    case unreachable = 3
}

/// The entry point of the executables that contain `refresh-probe`.
package enum ProbeEntry {
    /// Parses the command line and runs its command.
    package static func main() async { await RefreshProbe.main() }
}
