package import RefreshBroker
package import RefreshIndicator
package import RefreshProtocol
package import WebSocketTransport
internal import Yams

/// The settings of a configuration file and of the environment variables. A variable replaces the
/// value of the file. If neither the file nor the environment sets a value, the value is nil or
/// empty.
package struct ConfigurationFile: Hashable, Sendable {
    /// Whether there is a file. Without a file, the settings come from the environment alone.
    package let isWritten: Bool
    package internal(set) var listeners: [ListenAddress] = []
    /// The admin listeners, on loopback addresses only.
    package internal(set) var adminListeners: [ListenAddress] = []
    /// The tokens. No two of them have the same name or the same hash.
    package internal(set) var tokens: [AccessTokenSettings] = []
    /// The TLS settings. The certificate files were valid when the configuration was read.
    package internal(set) var tls: TLSSettings?
    package internal(set) var proxies = TrustedProxies()
    /// The authentication settings; nil if `auth` is not set.
    package internal(set) var auth: AuthSettings?
    package internal(set) var loops: Int?
    package internal(set) var demo: Bool?
    package internal(set) var origins: Set<WebOrigin> = []
    package internal(set) var limits = Limits()
    package internal(set) var drain = DrainSettings()
    package internal(set) var journal: String?
    package internal(set) var journalOnRequest: String?
    package internal(set) var resume: ResumeSettings?
    package internal(set) var cluster: ClusterSettings?
    package internal(set) var logLevel: LogSettings.Level?
    package internal(set) var logFormat: LogSettings.Format?
    /// The feeds in the order of the file.
    package internal(set) var feeds: [FeedSettings] = []
    /// The backend policies by group (`FeedSettings.group`), including groups that no feed uses.
    package internal(set) var backendPolicies: [String: BackendPolicy] = [:]
    /// The indicators in the order of the file, each loaded from its own file.
    package internal(set) var indicators: [NamedProgramme] = []

    /// Reads the file at `path`. Relative paths in it are relative to the folder of the file.
    package init(path: String) throws(ConfigurationError) {
        try self.init(SettingsTree(path: path))
    }

    /// Reads YAML. Error messages contain `path` as the name of the file. Relative paths in the
    /// YAML are relative to the folder of `path`.
    package init(text: String, path: String) throws(ConfigurationError) {
        try self.init(SettingsTree(text: text, path: path))
    }

    /// Reads the merged settings of a file and the environment.
    init(_ tree: SettingsTree) throws(ConfigurationError) {
        isWritten = !tree.path.isEmpty
        var reader = SettingsReader(file: tree.path, variables: tree.variables)
        if let root = tree.root { read(root, path: tree.path, with: &reader) }
        if !reader.problems.isEmpty { throw ConfigurationError(reader.problems) }
    }

    private mutating func read(_ root: Node, path: String, with reader: inout SettingsReader) {
        let table = ConfigurationShape.keys
        guard let top = reader.mapping(root, key: "", table: table) else { return }
        let folder = ConfigurationFolder(ofFile: path)
        listeners = ListenerReader.listeners(top, with: &reader)
        adminListeners = ListenerReader.adminListeners(top, besides: listeners, with: &reader)
        tls = TLSSettings(top, folder: folder, with: &reader)
        proxies = ListenerReader.proxies(top, with: &reader)
        loops = reader.integer("loops", in: top)
        demo = reader.boolean("demo", in: top)
        origins = ListenerReader.origins(top, with: &reader)
        limits = LimitsReader.limits(top, with: &reader)
        drain = DrainSettings(top, with: &reader)
        if let log = reader.table("log", in: top) {
            logLevel = reader.choice("level", in: log)
            logFormat = reader.choice("format", in: log)
        }
        journal = reader.string("journal", in: top).map(folder.resolve(_:))
        journalOnRequest = reader.string("journalOnRequest", in: top).map(folder.resolve(_:))
        resume = ResumeReader(folder: folder).settings(top, with: &reader)
        cluster = ClusterReader(folder: folder).settings(top, with: &reader)
        LimitsReader.check(limits, resume, of: top, with: &reader)
        var feedReader = FeedReader(folder: folder, limits: limits)
        feedReader.readBackends(top, with: &reader)
        feeds = feedReader.feeds(top, with: &reader)
        backendPolicies = feedReader.policies
        // The demo's feeds exist even if the file does not configure them.
        let names = feedReader.names + (demo == true ? FeedSettings.demoFeeds.map(\.name) : [])
        tokens = TokenReader(feeds: names).tokens(top, with: &reader)
        auth = AuthReader(folder: folder, limits: limits, tokens: tokens)
            .settings(top, with: &reader)
        indicators = IndicatorReader(folder: folder).indicators(top, with: &reader)
    }
}
