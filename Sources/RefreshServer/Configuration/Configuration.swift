package import RefreshBroker
internal import RefreshIndicator
package import RefreshProtocol
package import WebSocketTransport

/// All that a daemon is told: flags over the environment over the file over defaults, checked as a
/// whole.
package struct Configuration: Hashable, Sendable {
    /// At least one.
    package let listeners: [ListenAddress]
    /// Loopback addresses where an operator asks without a token, and no session is served.
    package let adminListeners: [ListenAddress]
    package let tokens: [AccessTokenSettings]
    /// What the listeners of sessions prove themselves with; nil: they do not speak TLS.
    package let tls: TLSSettings?
    /// Who is believed whom it speaks for.
    package let proxies: TrustedProxies
    /// Sockets that somebody else opened for the daemon, in place of what is configured; nil: it
    /// opens its own.
    package let activation: SocketActivation?
    /// How it is found out who clients are.
    package let auth: AuthSettings
    /// Whether that is written, or what holds because nothing is.
    package let isAuthWritten: Bool
    /// Nil: one per core.
    package let loops: Int?
    /// Whether the demo page and its feed are served.
    package let servesDemo: Bool
    /// Whether `/echo` is served; only with loopback listeners.
    package let servesEcho: Bool
    /// The pages, besides the daemon's own, that may open sessions.
    package let origins: Set<WebOrigin>
    package let limits: Limits
    package let drain: DrainSettings
    package let log: LogSettings
    /// The folder that sessions are recorded into; nil: they are not.
    package let journalFolder: String?
    /// Where single sessions are recorded on request; nil: where all are.
    package let requestedJournalFolder: String?
    package let resume: ResumeSettings
    package let feeds: [FeedSettings]
    /// By the groups of the feeds; one that is absent has the defaults.
    package let backendPolicies: [String: BackendPolicy]
    /// Those that the file adds to the built-in ones.
    package let indicators: [NamedProgramme]
    /// Where the demo reads this machine's packages.
    package let packageStatusFile: String

    package static let loopsRange = 1...256
    package static let standardPackageStatusFile = "/var/lib/dpkg/status"

    /// Lays `flags` over `file` over the defaults. Without a file the demo is served, and only on
    /// loopback addresses.
    ///
    /// - Throws: what contradicts a rule that spans several settings.
    package init(
        flags: ConfigurationFlags = ConfigurationFlags(), file: ConfigurationFile? = nil
    ) throws(ConfigurationError) {
        let isWritten = file?.isWritten ?? false
        if let loops = flags.loops { try Self.check(loops: loops) }
        activation = flags.activation
        listeners = Self.listeners(flags, file)
        adminListeners = Self.adminListeners(flags, file)
        try Self.check(listeners, flags, file)
        try Self.checkApart(listeners, adminListeners, activation)
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
        feeds = try Self.feeds(file, servesDemo: servesDemo)
        backendPolicies = file?.backendPolicies ?? [:]
        indicators = file?.indicators ?? []
        log = LogSettings(
            level: flags.logLevel ?? file?.logLevel ?? .info,
            format: flags.logFormat ?? file?.logFormat ?? .text)
        journalFolder = flags.journal ?? file?.journal
        requestedJournalFolder = file?.journalOnRequest
        packageStatusFile = flags.packageStatusFile ?? Self.standardPackageStatusFile
    }
}
