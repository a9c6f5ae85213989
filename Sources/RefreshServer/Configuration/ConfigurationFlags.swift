/// What the command line says; nil and empty leave it to the file or the defaults.
package struct ConfigurationFlags: Hashable, Sendable {
    package var listeners: [ListenAddress] = []
    /// Loopback addresses for operators.
    package var adminListeners: [ListenAddress] = []
    package var loops: Int?
    /// Adds the demo to a configured daemon.
    package var demo = false
    package var servesEcho = false
    /// Where the demo reads this machine's packages.
    package var packageStatusFile: String?
    /// The folder that sessions are recorded into.
    package var journal: String?
    /// Where the service manager has the daemon keep what is to outlive it.
    package var stateFolder: String?
    package var logLevel: LogSettings.Level?
    package var logFormat: LogSettings.Format?

    /// Sockets that somebody else opened for the daemon.
    package var activation: SocketActivation?

    package init() {}
}
