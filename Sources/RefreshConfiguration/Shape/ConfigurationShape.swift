internal import RefreshProtocol

/// The shape of the whole configuration file. Source: docs/configuration.md.
enum ConfigurationShape {
    static let hashPattern = "^[0-9A-Fa-f]{64}$"
    private static let addressPattern = "^.+:[0-9]{1,5}$"
    private static let originPattern = "^[Hh][Tt][Tt][Pp][Ss]?://[^/*?#@]+$"
    /// The pattern of a URL: printable ASCII only, because other characters must be
    /// percent-encoded.
    static let webPattern = "^https?://[!-~]+$"
    /// The pattern of a header name in lower case.
    static let headerPattern = "^[!#$%&'*+.^_`|~0-9a-z-]+$"

    /// The keys of the file, in the order in which they are printed.
    static let keys: [SettingsKey] = [
        SettingsKey(
            "listen", addresses, meaning: "addresses for the connections of clients: ADDRESS:PORT",
            standard: YAMLText.quoted(ListenAddress.standard.description), needsRestart: true),
        SettingsKey(
            "loops", .integer(Configuration.loopsRange),
            meaning: "number of event loops; without the key, one per core", needsRestart: true),
        SettingsKey(
            "demo", .boolean,
            meaning: "whether the demo pages and their feeds are served; without a configuration "
                + "file, they are served",
            standard: "false", needsRestart: true),
        SettingsKey(
            "admin", addresses,
            meaning: "addresses for the connections of operators; loopback only",
            needsRestart: true),
        SettingsKey("auth", .table(AuthShape.keys), meaning: "how clients are authenticated"),
        SettingsKey(
            "tokens", .list(.table(token)), meaning: "tokens, and what each token permits"),
        SettingsKey("tls", .table(tls), meaning: "the certificate of the listeners"),
        SettingsKey(
            "proxies", .list(.text(pattern: "^[0-9A-Fa-f:.]+(/[0-9]{1,3})?$")),
            meaning: "trusted reverse proxies"),
        SettingsKey("resume", .table(resume), meaning: "how sessions are resumed"),
        SettingsKey(
            "cluster", .table(ClusterShape.keys),
            meaning: "the cluster whose node this daemon is; without the key, the daemon is alone",
            needsRestart: true),
        SettingsKey("drain", .table(DrainSettings.all.map(\.key)), meaning: "how the daemon stops"),
        SettingsKey(
            "origins", .list(.text(pattern: originPattern)),
            meaning: "web origins that may open sessions"),
        SettingsKey("limits", .table(limits), meaning: "the limits of the daemon"),
        SettingsKey("log", .table(log), meaning: "what is logged, and how"),
        SettingsKey(
            "journal", .text(), meaning: "folder into which every session is recorded",
            needsRestart: true),
        SettingsKey(
            "journalOnRequest", .text(),
            meaning: "folder into which single sessions are recorded on request",
            needsRestart: true),
        SettingsKey(
            "backends", .named(.either(FeedShape.backends)),
            meaning: "by name, backends that several feeds share"),
        SettingsKey(
            "feeds", .named(.either(FeedShape.feeds), pattern: ConfiguredName.pattern),
            meaning: "by name, the feeds that clients may attach to, and the sources of their items"
        ),
        SettingsKey(
            "indicators", .named(.table(indicator), pattern: ConfiguredName.pattern),
            meaning: "by name, indicators that views may use besides the built-in ones"),
    ]

    /// The keys of an entry of `indicators`.
    static let indicator = [
        SettingsKey(
            "file", .text(), isRequired: true,
            meaning: "file with a programme, or with changed values for a built-in indicator")
    ]

    private static let addresses = SettingsShape.list(
        .text(pattern: addressPattern), orOne: true, isNeverEmpty: true)

    private static let limits = Limits.all.map {
        SettingsKey(
            $0.name, .integer($0.range), meaning: $0.meaning,
            standard: Limits()[keyPath: $0.path].description, needsRestart: $0.needsRestart)
    }

    private static let log = [
        SettingsKey(
            "level", .choice(LogSettings.Level.allCases.map(\.rawValue)),
            meaning: "the least severe level that is logged, from trace to critical",
            standard: YAMLText.quoted(LogSettings().level.rawValue)),
        SettingsKey(
            "format", .choice(LogSettings.Format.allCases.map(\.rawValue)),
            meaning: "the format of a line: readable text, or one JSON object",
            standard: YAMLText.quoted(LogSettings().format.rawValue), needsRestart: true),
    ]

    private static let token = [
        SettingsKey(
            "name", .text(pattern: ConfiguredName.pattern), isRequired: true,
            meaning: "the token's name in logs"),
        SettingsKey(
            "sha256", .text(pattern: hashPattern), isRequired: true, secrecy: .hidden,
            meaning: "the token's SHA-256: printf %s TOKEN | sha256sum"),
        SettingsKey(
            "may",
            .list(
                .choice(AccessTokenSettings.Permission.allCases.map(\.rawValue)),
                isNeverEmpty: true),
            isRequired: true,
            meaning:
                "what the token permits: to be a worker, to report that a feed has changed, to "
                + "open sessions, to read the metrics, to send every operator request"),
        SettingsKey(
            "feeds", .list(.text(pattern: ConfiguredName.pattern)),
            meaning: "the feeds to which the token is limited; without this setting, the token "
                + "applies to all feeds"),
    ]

    private static let tls = [
        SettingsKey(
            "certificate", .text(), isRequired: true,
            meaning: "file with the certificate chain, the daemon's own certificate first; PEM"),
        SettingsKey(
            "key", .text(), isRequired: true,
            meaning: "file with the private key, readable only by the daemon's user; PEM"),
    ]

    private static let resume = [
        SettingsKey(
            "keys",
            .list(
                .table([
                    SettingsKey(
                        "id", .text(pattern: "^[A-Za-z0-9_-]{1,32}$"), isRequired: true,
                        meaning: "the key's name, readable by everyone in snapshots"),
                    SettingsKey(
                        "file", .text(), isRequired: true,
                        meaning: "file with 32 random bytes in base 64: openssl rand -base64 32"),
                ]), isNeverEmpty: true),
            meaning: "keys of sealed snapshots; the first key encrypts, and every key can decrypt"),
        SettingsKey(
            "stateFolder", .text(),
            meaning:
                "folder in which the daemon creates a key once and stores it, if keys is not set; "
                + "without this setting, the folder in STATE_DIRECTORY, which systemd sets",
            needsRestart: true),
        SettingsKey(
            "snapshots", .boolean, meaning: "whether clients receive sealed snapshots",
            standard: ResumeSettings().snapshots.description, needsRestart: true),
    ]
}
