import ArgumentParser
import Foundation
import RefreshServer

/// Looks at a daemon from the client's side.
@main
struct RefreshProbe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh-probe",
        abstract:
            "Plays scripted sessions, replays recorded ones, watches live ones, draws indicators.",
        version: DaemonVersion.current,
        subcommands: [RunCommand.self, ReplayCommand.self, WatchCommand.self, PlotCommand.self])

    static func main() async {
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
            // A wrong command line is 2 here, not the 64 of sysexits.h; `--help` and `--version` are 0.
            guard exitCode(for: error) != .success else { exit(withError: error) }
            FileHandle.standardError.write(Data((fullMessage(for: error) + "\n").utf8))
            Foundation.exit(ProbeStatus.unusable.rawValue)
        }
    }
}

/// How the probe ends, for scripts.
enum ProbeStatus: Int32, Error {
    /// A scenario failed, or a journal did not replay.
    case failed = 1
    /// The command line is wrong, or a file cannot be read or parsed.
    case unusable = 2
}
