internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import RefreshConfiguration
internal import RefreshServer

/// The daemon's flags. Source: docs/operations.md, "Flags".
struct ServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Accept connections at this address; may be repeated. (default: 127.0.0.1:8080)",
            discussion: """
                IPv6 addresses are written in brackets. localhost means both loopback addresses. \
                Port 0 selects a free port. Addresses that other machines can reach require \
                --config.
                """,
            valueName: "address:port"),
        transform: ListenAddress.argument)
    var listen: [ListenAddress] = []

    @Option(
        help: ArgumentHelp(
            "Serve operators at this loopback address; may be repeated. (default: none)",
            discussion:
                "Operators use it for refresh-probe watch, the metrics and operator requests.",
            valueName: "address:port"),
        transform: ListenAddress.argument)
    var admin: [ListenAddress] = []

    @Option(
        help: ArgumentHelp("The number of event loops. (default: one per core)", valueName: "n"))
    var loops: Int?

    @Option(
        help: ArgumentHelp(
            "Read listeners, limits, feeds and backends from this YAML file.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Flag(help: "Also serve the demo page; without --config it is always served.")
    var demo = false

    @Flag(help: "Serve /echo for WebSocket conformance tests, on loopback only.")
    var conformanceEcho = false

    @Option(
        help: ArgumentHelp(
            "The package list for the demo. (default: \(Configuration.standardPackageStatusFile))",
            valueName: "file"),
        completion: .file())
    var dpkgStatus: String?

    @Option(
        help: ArgumentHelp(
            "The least severe level that is logged. (default: info)", valueName: "level"))
    var logLevel: LogSettings.Level?

    @Option(help: ArgumentHelp("The format of log lines. (default: text)", valueName: "format"))
    var logFormat: LogSettings.Format?

    @Option(
        help: ArgumentHelp(
            "Record every session into its own file in this folder.",
            discussion:
                "The files contain everything that clients send and receive. See docs/journal.md.",
            valueName: "dir"),
        completion: .directory)
    var journal: String?

    /// Returns the configuration from these flags, the environment and the file. `activation`
    /// contains the sockets that the service manager has passed.
    func layers(
        _ activation: SocketActivation? = nil
    ) throws(ConfigurationError) -> LayeredConfiguration {
        var flags = flags
        flags.activation = activation
        return try LayeredConfiguration(
            flags: flags, file: config, environment: ProcessInfo.processInfo.environment)
    }

    private var flags: ConfigurationFlags {
        var flags = ConfigurationFlags()
        flags.listeners = listen
        flags.adminListeners = admin
        flags.loops = loops
        flags.demo = demo
        flags.servesEcho = conformanceEcho
        flags.packageStatusFile = dpkgStatus
        flags.journal = journal
        flags.stateFolder = StateFolder.ofServiceManager
        flags.logLevel = logLevel
        flags.logFormat = logFormat
        return flags
    }

    /// Prints all problems and ends the process without the exit handlers, which would destroy
    /// objects that other threads still use.
    func exitReporting(_ error: ConfigurationError) -> Never {
        try? StandardStream.error.write("refreshd: \(error)\n")
        _exit(error.exitStatus.rawValue)
    }
}

extension ListenAddress {
    /// Parses the address in an argument.
    fileprivate static func argument(_ text: String) throws -> ListenAddress {
        do throws(ListenAddress.Malformed) {
            return try ListenAddress(text)
        } catch {
            throw ValidationError(error.description)
        }
    }
}

extension LogSettings.Level: ExpressibleByArgument {}
extension LogSettings.Format: ExpressibleByArgument {}

/// The folder that the service manager provides for state that outlives the process. Source:
/// systemd.exec(5), "StateDirectory=".
enum StateFolder {
    /// The first folder of `STATE_DIRECTORY`. Nil if this variable is not set.
    static var ofServiceManager: String? {
        guard let text = unsafe getenv("STATE_DIRECTORY").map({ unsafe String(cString: $0) })
        else { return nil }
        return text.split(separator: ":").first.map(String.init)
    }
}
