internal import ArgumentParser
internal import Glibc
internal import RefreshConfiguration
internal import RefreshServer

/// The command `check-config`. It makes the checks that the daemon makes before it starts
/// (`ConfigurationPreflight`), and does not start the daemon.
struct CheckConfig: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Validate what the daemon reads at its start, and report every error.",
        discussion: """
            Opens no listener and connects to no server. The exit status is 0, or if there is an \
            error, the status with which the daemon would exit.
            """)

    @OptionGroup var options: ServerOptions

    mutating func run() throws {
        do throws(ConfigurationError) {
            let layers = try options.layers(SocketActivation.consumeEnvironment())
            _ = try ConfigurationPreflight(layers.configuration)
            for note in layers.activationNotes {
                try? StandardStream.error.write("refreshd: note: \(note)\n")
            }
        } catch {
            options.exitReporting(error)
        }
    }
}
