/// A configuration and its layers. Flags override the environment, the environment overrides the
/// file, and the file overrides the defaults. Source: docs/configuration.md.
package struct LayeredConfiguration: Hashable, Sendable {
    package let configuration: Configuration
    /// Every value with its origin.
    package let listing: ConfigurationListing
    /// The file that was read; nil if there is no file.
    package let file: String?

    /// Notes for the operator about sockets that were passed to the daemon. They are not errors.
    package let activationNotes: [String]

    /// The digests, by option, of the key files and CA files at the time of reading.
    let fileSums: [String: FileSum]

    /// Reads everything that the daemon reads at its start. `file` overrides the path that the
    /// environment names.
    package init(
        flags: ConfigurationFlags = ConfigurationFlags(), file: String? = nil,
        environment: [String: String] = [:]
    ) throws(ConfigurationError) {
        let settings = try EnvironmentSettings(environment)
        let file = file ?? settings.file
        let tree = try file.map { path throws(ConfigurationError) in try SettingsTree(path: path) }
        try self.init(flags: flags, tree: tree, settings)
    }

    /// Reads `text` in place of a file. Messages contain `path` as the name of the text.
    package init(
        text: String, path: String, flags: ConfigurationFlags = ConfigurationFlags(),
        environment: [String: String] = [:]
    ) throws(ConfigurationError) {
        let settings = try EnvironmentSettings(environment)
        try self.init(flags: flags, tree: SettingsTree(text: text, path: path), settings)
    }

    private init(
        flags: ConfigurationFlags, tree: SettingsTree?, _ environment: EnvironmentSettings
    ) throws(ConfigurationError) {
        let layers = (tree ?? SettingsTree()).overlaid(by: environment)
        let settings = try ConfigurationFile(layers)
        configuration = try Configuration(flags: flags, file: settings)
        activationNotes = Configuration.activationNotes(flags, settings)
        listing = ConfigurationListing(of: configuration, tree: layers, flags: flags)
        file = tree?.path
        fileSums = configuration.fileSums
    }
}

/// The settings of the command line. If a setting is nil or empty, the environment, the file or the
/// default applies.
package struct ConfigurationFlags: Hashable, Sendable {
    package var listeners: [ListenAddress] = []
    /// Loopback addresses for operators.
    package var adminListeners: [ListenAddress] = []
    package var loops: Int?
    /// Whether the demo is served in addition to the feeds of the file.
    package var demo = false
    package var servesEcho = false
    /// The file from which the demo reads this machine's packages.
    package var packageStatusFile: String?
    /// The folder for the journals of all sessions.
    package var journal: String?
    /// The folder that the service manager provides for state that outlives the process.
    package var stateFolder: String?
    package var logLevel: LogSettings.Level?
    package var logFormat: LogSettings.Format?

    /// Sockets that the service manager opened for the daemon.
    package var activation: SocketActivation?

    package init() {}
}
