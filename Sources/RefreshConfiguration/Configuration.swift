package import RefreshBroker
package import RefreshIndicator
package import RefreshProtocol
package import WebSocketTransport

/// The complete configuration of a daemon, checked as a whole. Flags override the environment, the
/// environment overrides the file, and the file overrides the defaults.
package struct Configuration: Hashable, Sendable {
    /// The addresses at which clients can open sessions; at least one.
    package let listeners: [ListenAddress]
    /// The loopback addresses at which operators need no token. They serve no sessions.
    package let adminListeners: [ListenAddress]
    package let tokens: [AccessTokenSettings]
    /// The certificate for `listeners`; nil if they do not use TLS.
    package let tls: TLSSettings?
    /// Proxies whose forwarding headers are trusted.
    package let proxies: TrustedProxies
    /// The sockets that the service manager opened in place of the configured listeners; nil if the
    /// daemon opens its own sockets.
    package let activation: SocketActivation?
    /// How clients are authenticated.
    package let auth: AuthSettings
    /// Whether the configuration sets `auth`. If the configuration does not, `auth` has the default
    /// value.
    package let isAuthWritten: Bool
    /// The number of event loops; nil means one per core.
    package let loops: Int?
    /// Whether the demo page and its feeds are served.
    package let servesDemo: Bool
    /// Whether the WebSocket echo at `/echo` is served, for tests of the transport. It can be
    /// served only if all listeners are loopback listeners.
    package let servesEcho: Bool
    /// The origins of web pages that may open sessions, besides the daemon's own.
    package let origins: Set<WebOrigin>
    package let limits: Limits
    package let drain: DrainSettings
    package let log: LogSettings
    /// The folder for the journals of all sessions; nil if sessions are not recorded.
    package let journalFolder: String?
    /// The folder for the journals that operators request for single sessions; nil means
    /// `journalFolder`.
    package let requestedJournalFolder: String?
    package let resume: ResumeSettings
    /// The cluster whose node the daemon is; nil if it is alone.
    package let cluster: ClusterSettings?
    package let feeds: [FeedSettings]
    /// The policies of the backends by group (`FeedSettings.group`). A group without an entry has
    /// the default policy.
    package let backendPolicies: [String: BackendPolicy]
    /// The indicators that the file adds to the built-in ones.
    package let indicators: [NamedProgramme]
    /// The file from which the demo reads this machine's packages.
    package let packageStatusFile: String

    package static let loopsRange = 1...256
    package static let standardPackageStatusFile = "/var/lib/dpkg/status"

    /// Merges the settings: `flags` override `file`, and `file` overrides the defaults. Without a
    /// file, the demo is served, and all listeners must have loopback addresses.
    ///
    /// - Throws: The violations of rules that concern several settings.
    package init(
        flags: ConfigurationFlags = ConfigurationFlags(), file: ConfigurationFile? = nil
    ) throws(ConfigurationError) {
        let isWritten = file?.isWritten ?? false
        if let loops = flags.loops { try Self.check(loops: loops) }
        activation = flags.activation
        listeners = Self.listeners(flags, file)
        adminListeners = Self.adminListeners(flags, file)
        try Self.check(listeners, flags, file)
        try Self.checkForOverlaps(listeners, adminListeners, activation)
        tls = file?.tls
        proxies = file?.proxies ?? TrustedProxies()
        tokens = file?.tokens ?? []
        auth = file?.auth ?? .none
        isAuthWritten = file?.auth != nil
        loops = flags.loops ?? file?.loops
        servesDemo = flags.demo || file?.demo ?? !isWritten
        servesEcho = flags.servesEcho
        origins = file?.origins ?? []
        limits = file?.limits ?? Limits()
        drain = file?.drain ?? DrainSettings()
        var resume = file?.resume ?? ResumeSettings()
        resume.stateFolder = resume.stateFolder ?? flags.stateFolder
        self.resume = resume
        cluster = file?.cluster
        feeds = try Self.feeds(file, servesDemo: servesDemo)
        backendPolicies = file?.backendPolicies ?? [:]
        indicators = file?.indicators ?? []
        log = LogSettings(
            level: flags.logLevel ?? file?.logLevel ?? LogSettings().level,
            format: flags.logFormat ?? file?.logFormat ?? LogSettings().format)
        journalFolder = flags.journal ?? file?.journal
        requestedJournalFolder = file?.journalOnRequest
        packageStatusFile = flags.packageStatusFile ?? Self.standardPackageStatusFile
    }
}
