/// The settings of the command line. If a setting is nil or empty, the file or the default applies.
package struct ConfigurationFlags: Hashable, Sendable {
    package var listeners: [ListenAddress] = []
    /// Loopback addresses for operators.
    package var adminListeners: [ListenAddress] = []
    package var loops: Int?
    /// Adds the demo to a configured daemon.
    package var demo = false
    package var servesEcho = false
    /// The file from which the demo reads this machine's packages.
    package var packageStatusFile: String?
    /// The folder that sessions are recorded into.
    package var journal: String?
    /// The folder that the service manager provides for state that outlives the process.
    package var stateFolder: String?
    package var logLevel: LogSettings.Level?
    package var logFormat: LogSettings.Format?

    /// Sockets that were opened for the daemon.
    package var activation: SocketActivation?

    package init() {}
}
