internal import RefreshProtocol

/// The shape of the whole configuration file. Source: docs/configuration.md.
enum ConfigurationShape {
    static let namePattern = "^[A-Za-z0-9_.-]{1,64}$"
    static let hashPattern = "^[0-9A-Fa-f]{64}$"
    private static let addressPattern = "^.+:[0-9]{1,5}$"
    private static let originPattern = "^[Hh][Tt][Tt][Pp][Ss]?://[^/*?#@]+$"
    /// Printable ASCII; other characters are percent-encoded.
    static let webPattern = "^https?://[!-~]+$"
    /// Names of headers, in lower case.
    static let headerPattern = "^[!#$%&'*+.^_`|~0-9a-z-]+$"

    /// The keys of the file, in the order in which they are printed.
    static let keys: [SettingsKey] = [
        SettingsKey(
            "listen", addresses, meaning: "where connections are accepted: ADDRESS:PORT",
            standard: YAMLText.quoted(ListenAddress.standard.description)),
        SettingsKey(
            "loops", .integer(Configuration.loopsRange),
            meaning: "event loops; without the key one per core"),
        SettingsKey(
            "demo", .boolean,
            meaning: "whether the demo page and its feed are served, as without a file they are",
            standard: "false"),
        SettingsKey("admin", addresses, meaning: "where an operator asks, loopback only"),
        SettingsKey("auth", .table(AuthShape.keys), meaning: "how it is found out who a client is"),
        SettingsKey("tokens", .list(.table(token)), meaning: "who may do what, by its token"),
        SettingsKey("tls", .table(tls), meaning: "the certificate of the listeners"),
        SettingsKey(
            "proxies", .list(.text(pattern: "^[0-9A-Fa-f:.]+(/[0-9]{1,3})?$")),
            meaning: "reverse proxies that are believed"),
        SettingsKey("resume", .table(resume), meaning: "how sessions come back"),
        SettingsKey("drain", .table(drain), meaning: "how the daemon stops"),
        SettingsKey(
            "origins", .list(.text(pattern: originPattern)),
            meaning: "web origins that may open sessions"),
        SettingsKey("limits", .table(limits), meaning: "the bounds of everything"),
        SettingsKey("log", .table(log), meaning: "what is logged, and how"),
        SettingsKey("journal", .text(), meaning: "folder that every session is recorded into"),
        SettingsKey(
            "journalOnRequest", .text(),
            meaning: "folder that single sessions are recorded into on request"),
        SettingsKey(
            "backends", .named(.either(BackendKind.allCases.map(FeedShape.backend(_:)))),
            meaning: "what several feeds share"),
        SettingsKey(
            "feeds", .named(.either(FeedShape.feeds), pattern: namePattern),
            meaning: "by name, what clients may attach to, and where its items come from"),
        SettingsKey(
            "indicators", .named(.table(indicator), pattern: namePattern),
            meaning: "by name, what views may be attached with beside the built-in indicators"),
    ]

    private static let indicator = [
        SettingsKey(
            "file", .text(), isRequired: true,
            meaning: "holds the programme, or gives a built-in one other values")
    ]

    private static let addresses = SettingsShape.list(
        .text(pattern: addressPattern), orOne: true, isNeverEmpty: true)

    private static let limits = Limits.all.map {
        SettingsKey(
            $0.name, .integer($0.range), meaning: $0.meaning,
            standard: Limits()[keyPath: $0.path].description)
    }

    private static let log = [
        SettingsKey(
            "level", .choice(LogSettings.Level.allCases.map(\.rawValue)),
            meaning: "how much is said; each level includes those after it",
            standard: YAMLText.quoted(LogSettings().level.rawValue)),
        SettingsKey(
            "format", .choice(LogSettings.Format.allCases.map(\.rawValue)),
            meaning: "how a line looks: for people, or one JSON object",
            standard: YAMLText.quoted(LogSettings().format.rawValue)),
    ]

    private static let token = [
        SettingsKey(
            "name", .text(pattern: namePattern), isRequired: true, meaning: "how logs call it"),
        SettingsKey(
            "sha256", .text(pattern: hashPattern), isRequired: true, secrecy: .hidden,
            meaning: "the token's SHA-256: printf %s TOKEN | sha256sum"),
        SettingsKey(
            "may",
            .list(
                .choice(AccessTokenSettings.Permission.allCases.map(\.rawValue)),
                isNeverEmpty: true),
            isRequired: true,
            meaning: "be a worker, say that a feed has changed, open sessions, read the metrics, "
                + "ask all that an operator may"),
        SettingsKey(
            "feeds", .list(.text(pattern: namePattern)),
            meaning: "the only feeds it may do that with; without the key all"),
    ]

    private static let tls = [
        SettingsKey(
            "certificate", .text(), isRequired: true,
            meaning: "file with the chain, the daemon's own certificate first; PEM"),
        SettingsKey(
            "key", .text(), isRequired: true,
            meaning: "file with its private key, readable by the daemon's user alone; PEM"),
    ]

    private static let resume = [
        SettingsKey(
            "keys",
            .list(
                .table([
                    SettingsKey(
                        "id", .text(pattern: "^[A-Za-z0-9_-]{1,32}$"), isRequired: true,
                        meaning: "what the key is called in snapshots, for all to read"),
                    SettingsKey(
                        "file", .text(), isRequired: true,
                        meaning: "holds 32 random bytes in base 64: openssl rand -base64 32"),
                ]), isNeverEmpty: true),
            meaning: "keys of sealed snapshots; the first one seals, all of them open"),
        SettingsKey(
            "stateFolder", .text(),
            meaning: "folder where a key is made once and kept, if there are no keys; without this "
                + "one too it is STATE_DIRECTORY, as systemd sets it"),
        SettingsKey(
            "snapshots", .boolean, meaning: "whether clients are given sealed snapshots",
            standard: ResumeSettings().snapshots.description),
    ]

    private static let drain = DrainSettings.all.map {
        SettingsKey(
            $0.name, .integer(DrainSettings.msRange), meaning: $0.meaning,
            standard: DrainSettings()[keyPath: $0.path].description)
    }
}
