package import RefreshBroker
package import RefreshIndicator
package import RefreshProtocol
package import WebSocketTransport
internal import Yams

/// The settings of a configuration file with the environment merged over it. A setting that is in
/// neither is nil or empty.
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
    package internal(set) var logLevel: LogSettings.Level?
    package internal(set) var logFormat: LogSettings.Format?
    /// The feeds in the order of the file.
    package internal(set) var feeds: [FeedSettings] = []
    /// The backend policies by group, including groups that no feed uses.
    package internal(set) var backendPolicies: [String: BackendPolicy] = [:]
    /// The indicators in the order of the file, each loaded from its own file.
    package internal(set) var indicators: [NamedProgramme] = []

    static let keys = [
        "listen", "loops", "demo", "admin", "auth", "tokens", "tls", "proxies", "resume", "drain",
        "origins", "limits", "log", "journal", "journalOnRequest", "backends", "feeds",
        "indicators",
    ]

    /// Reads the file at `path`. Relative paths in it start in the folder of the file.
    package init(path: String) throws(ConfigurationError) {
        try self.init(SettingsTree(path: path))
    }

    /// Reads YAML. Messages name it `path`, and relative paths in it start in the folder of `path`.
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
        guard let top = reader.mapping(root, key: "", known: Self.keys) else { return }
        let folder = ConfigurationFolder(ofFile: path)
        if let node = top["listen"] {
            listeners = ListenerReader.listeners(node, key: "listen", with: &reader)
        }
        if let node = top["admin"] {
            adminListeners = ListenerReader.adminListeners(
                node, besides: listeners, with: &reader)
        }
        if let node = top["tls"] {
            tls = TLSReader(folder: folder).settings(node, with: &reader)
        }
        if let node = top["proxies"] { proxies = ProxyReader.proxies(node, with: &reader) }
        if let node = top["loops"] {
            loops = reader.integer(node, key: "loops", range: Configuration.loopsRange)
        }
        if let node = top["demo"] { demo = reader.boolean(node, key: "demo") }
        if let node = top["origins"] { readOrigins(node, with: &reader) }
        if let node = top["limits"] { readLimits(node, with: &reader) }
        if let node = top["drain"] { drain = DrainReader.settings(node, with: &reader) }
        if let node = top["log"] { readLog(node, with: &reader) }
        if let node = top["journal"] {
            journal = reader.string(node, key: "journal").map(folder.resolve(_:))
        }
        if let node = top["journalOnRequest"] {
            journalOnRequest = reader.string(node, key: "journalOnRequest")
                .map(folder.resolve(_:))
        }
        if let node = top["resume"] {
            resume = ResumeReader(folder: folder).settings(node, with: &reader)
        }
        if let node = top["limits"] {
            checkHelloFits(node, with: &reader)
            checkRate(node, with: &reader)
        }
        var feedReader = FeedReader(folder: folder, limits: limits)
        if let node = top["backends"] { feedReader.readBackends(node, with: &reader) }
        if let node = top["feeds"] { feeds = feedReader.feeds(node, with: &reader) }
        backendPolicies = feedReader.policies
        if let node = top["tokens"] {
            // The demo's feed exists even if the file does not configure it.
            let names = feedReader.names + (demo == true ? [FeedSettings.demo.name] : [])
            tokens = TokenReader(feeds: names).tokens(node, with: &reader)
        }
        if let node = top["auth"] {
            auth = AuthReader(folder: folder, limits: limits, tokens: tokens)
                .settings(node, with: &reader)
        }
        if let node = top["indicators"] {
            indicators = IndicatorReader(folder: folder).indicators(node, with: &reader)
        }
    }

    private mutating func readOrigins(_ node: Node, with reader: inout SettingsReader) {
        for item in reader.list(node, key: "origins") {
            guard let text = reader.string(item, key: "origins") else { continue }
            guard let origin = WebOrigin(text) else {
                reader.report(
                    "`\(text)` is not an origin; write scheme://host or scheme://host:port, "
                        + "http or https, without wildcards or a path",
                    key: "origins", at: item)
                continue
            }
            origins.insert(origin)
        }
    }

    private mutating func readLimits(_ node: Node, with reader: inout SettingsReader) {
        let known = Limits.all.map(\.name)
        guard let mapping = reader.mapping(node, key: "limits", known: known) else { return }
        for entry in Limits.all {
            guard let node = mapping[entry.name] else { continue }
            if let value = reader.integer(node, key: mapping.key(entry.name), range: entry.range) {
                limits[keyPath: entry.path] = value
            }
        }
    }

    /// Checks that a `hello` fits into a frame. A client that resumes sends its token and its
    /// snapshot in one `hello`.
    private func checkHelloFits(_ node: Node, with reader: inout SettingsReader) {
        let gives = limits.resumeWindowMs > 0 && resume?.snapshots ?? true
        let needed =
            limits.tokenBytesMax + (gives ? limits.snapshotBytesMax : 0) + Self.helloBytes
        guard needed > limits.frameBytesMax else { return }
        let parts = gives ? "`tokenBytesMax`, `snapshotBytesMax`" : "`tokenBytesMax`"
        reader.report(
            "a `hello` of \(parts) and \(Self.helloBytes) bytes may have \(needed) bytes, "
                + "which is more than `frameBytesMax`, \(limits.frameBytesMax)",
            key: "limits", at: node)
    }

    /// Checks that a message of the maximum size is accepted if no message precedes it.
    private func checkRate(_ node: Node, with reader: inout SettingsReader) {
        let atOnce = 2 * limits.receivedBytesPerSecondMax
        guard limits.frameBytesMax > atOnce else { return }
        reader.report(
            "a message may have `frameBytesMax` bytes, \(limits.frameBytesMax), which is more than "
                + "twice `receivedBytesPerSecondMax`, \(atOnce): it would never be accepted",
            key: "limits", at: node)
    }

    /// The size in bytes of a `hello` without its token and snapshot. Source:
    /// docs/configuration.md, "limits".
    private static let helloBytes = 512

    private mutating func readLog(_ node: Node, with reader: inout SettingsReader) {
        guard let mapping = reader.mapping(node, key: "log", known: ["level", "format"])
        else { return }
        logLevel = mapping["level"].flatMap {
            reader.choice($0, key: "log.level", among: LogSettings.Level.allCases)
        }
        logFormat = mapping["format"].flatMap {
            reader.choice($0, key: "log.format", among: LogSettings.Format.allCases)
        }
    }
}
