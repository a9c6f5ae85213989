internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import RefreshConfiguration
internal import RefreshProtocol
internal import RefreshServer

/// The command `refreshd`. It reads the configuration, runs a server, and handles signals until one
/// of them ends the process.
struct Refreshd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refreshd",
        abstract: "Runs the logic of pull-to-refresh and load-more for thin clients.",
        discussion: """
            Without --config, the daemon serves a demo on 127.0.0.1:8080. Open the printed URL in \
            a browser. The first line on standard output is one JSON object with the address and \
            port in use. Logs are written to standard error. SIGHUP reloads the configuration. \
            SIGTERM and SIGINT drain and stop the daemon. A second SIGTERM or SIGINT stops it at \
            once.
            """,
        version: "refreshd \(DaemonVersion.current)",
        subcommands: [Init.self, CheckConfig.self, PrintConfig.self])

    @OptionGroup var options: ServerOptions

    /// Runs the command. If the command line requests the help, `writeOutput` writes the help and
    /// reports a failure to write it.
    static func main() {
        StandardStream.reserveStandardDescriptors()
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            guard exitCode(for: error) == .success else { exit(withError: error) }
            writeOutput(fullMessage(for: error) + "\n")
        }
    }

    /// Writes to standard output. If the text cannot be written, ends the process.
    static func writeOutput(_ text: String) {
        do throws(StandardStream.Failure) {
            try StandardStream.output.write(text)
        } catch {
            if error.isReaderGone { StandardStream.exitOnBrokenPipe() }
            try? StandardStream.error.write("refreshd: \(error)\n")
            exit(with: .output)
        }
    }

    mutating func run() throws {
        let layers: LayeredConfiguration
        do throws(ConfigurationError) {
            layers = try options.layers(SocketActivation.consumeEnvironment())
        } catch {
            options.exitReporting(error)
        }
        let configuration = layers.configuration
        Signals.block()
        let log = DaemonLog(configuration.log)
        if let shortage = OpenFileLimit.raise(for: configuration) { log(shortage) }
        do throws(ServerError) {
            let server = try Server(configuration, log: log)
            server.start()
            // If the line with the daemon's addresses cannot be written, the daemon serves clients
            // nevertheless.
            try? StandardStream.output.write(server.announcement + "\n")
            let options = options
            // The sockets that the service manager passed at the start stay in use. A reload does
            // not look for other sockets of the service manager.
            let activation = configuration.activation
            let reload = ConfigurationReload(of: layers, log: log) {
                () throws(ConfigurationError) in
                try options.layers(activation)
            } take: { configuration throws(ConfigurationError) in
                try server.reload(configuration)
            }
            let environment = ProcessInfo.processInfo.environment
            Self.serve(server, log: log, reload, ServiceNotifier(environment: environment))
        } catch {
            log(.startFailed, [.reason: error.description])
            Self.exit(with: error.exitStatus)
        }
    }

    /// Handles signals on this thread until the process ends. Another thread drains the daemon, so
    /// that this thread can receive a second signal during the drain.
    private static func serve(
        _ server: Server, log: DaemonLog, _ reload: ConfigurationReload, _ notify: ServiceNotifier
    ) -> Never {
        var reload = reload
        var isStopping = false
        let watchdog = server.watchdog { notify(.alive) }
        let pingInterval = notify.watchdogMicroseconds.map { $0 / 2 }
        var nextPing = ServiceNotifier.monotonicMicroseconds
        notify(.ready, .status("serving"))
        while true {
            let now = ServiceNotifier.monotonicMicroseconds
            if let pingInterval, nextPing <= now {
                watchdog.ping()
                nextPing = now + pingInterval
            }
            switch Signals.waitForNext(
                withinMicroseconds: pingInterval.map { _ in nextPing - min(now, nextPing) })
            {
            case nil: continue
            case .reload where !isStopping:
                notify(.reloading(microseconds: ServiceNotifier.monotonicMicroseconds))
                let isTaken = reload.run()
                notify(.ready, .status(isTaken ? "serving, reloaded" : "serving, reload refused"))
            case .reload:
                log(.signalIgnored, [.signal: Signals.name(of: SIGHUP)])
            case .stop(let signal) where isStopping:
                log(.stoppedAtOnce, [.signal: Signals.name(of: signal)])
                _exit(128 + signal)
            case .stop(let signal):
                isStopping = true
                notify(.stopping, .status("draining"))
                log(.draining, [.signal: Signals.name(of: signal)])
                server.drain { _exit(ExitStatus.success.rawValue) }
            }
        }
    }

    /// Ends the process without the exit handlers, which would destroy objects that other threads
    /// still use.
    private static func exit(with status: ExitStatus) -> Never { _exit(status.rawValue) }
}

/// The entry point of the daemon's executables.
package enum DaemonEntry {
    /// Parses the command line and serves until a signal ends the process.
    package static func main() { Refreshd.main() }
}
