internal import RefreshProtocol

/// The shape of the whole configuration file. Source: docs/configuration.md.
enum ConfigurationShape {
    static let namePattern = "^[A-Za-z0-9_.-]{1,64}$"
    static let hashPattern = "^[0-9A-Fa-f]{64}$"
    private static let addressPattern = "^.+:[0-9]{1,5}$"
    private static let originPattern = "^[Hh][Tt][Tt][Pp][Ss]?://[^/*?#@]+$"
    /// Printable ASCII: what else there is stands percent-encoded.
    static let webPattern = "^https?://[!-~]+$"
    /// Names of headers, where they stand in lower case.
    static let headerPattern = "^[!#$%&'*+.^_`|~0-9a-z-]+$"

    /// The keys of the file, in the order in which they are printed.
    static let keys: [SettingsKey] = [
        SettingsKey("listen", addresses, meaning: "where connections are accepted"),
        SettingsKey("loops", .integer(Configuration.loopsRange), meaning: "event loops"),
        SettingsKey("demo", .boolean, meaning: "whether the demo page and its feed are served"),
        SettingsKey("admin", addresses, meaning: "where an operator asks, loopback only"),
        SettingsKey("auth", .table(auth), meaning: "how it is found out who a client is"),
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
        SettingsKey("limits", .table(limits)),
        SettingsKey("log", .table(log)),
        SettingsKey("journal", .text(), meaning: "folder that every session is recorded into"),
        SettingsKey(
            "journalOnRequest", .text(),
            meaning: "folder that single sessions are recorded into on request"),
        SettingsKey(
            "backends", .named(.either(BackendKind.allCases.map(FeedShape.backend(_:)))),
            meaning: "what several feeds share"),
        SettingsKey("feeds", .named(.either(FeedShape.feeds), pattern: namePattern)),
        SettingsKey(
            "indicators",
            .named(.table([SettingsKey("file", .text(), isRequired: true)]), pattern: namePattern)),
    ]

    private static let addresses = SettingsShape.list(
        .text(pattern: addressPattern), orOne: true, isNeverEmpty: true)

    private static let limits = Limits.all.map {
        SettingsKey($0.name, .integer($0.range), meaning: $0.meaning)
    }

    private static let log = [
        SettingsKey("level", .choice(LogSettings.Level.allCases.map(\.rawValue))),
        SettingsKey("format", .choice(LogSettings.Format.allCases.map(\.rawValue))),
    ]

    private static let token = [
        SettingsKey("name", .text(pattern: namePattern), isRequired: true),
        SettingsKey(
            "sha256", .text(pattern: hashPattern), isRequired: true, secrecy: .hidden,
            meaning: "the token's SHA-256: printf %s TOKEN | sha256sum"),
        SettingsKey(
            "may",
            .list(
                .choice(AccessTokenSettings.Permission.allCases.map(\.rawValue)),
                isNeverEmpty: true),
            isRequired: true),
        SettingsKey("feeds", .list(.text(pattern: namePattern))),
    ]

    /// Which of them belong together the reader says.
    private static let auth = [
        SettingsKey("mode", .choice(AuthMode.allCases.map(\.rawValue)), isRequired: true),
        SettingsKey("jwks", .text()),
        SettingsKey("secretFile", .text()),
        SettingsKey(
            "algorithms",
            .list(
                .choice(WebTokenSettings.Algorithm.allCases.map(\.rawValue)),
                isNeverEmpty: true)),
        SettingsKey("audience", .text()),
        SettingsKey("issuer", .text()),
        SettingsKey("skewMs", .integer(WebTokenSettings.skewMsRange)),
        SettingsKey("feedsClaim", .text()),
        SettingsKey("url", .text(pattern: webPattern), secrecy: .address),
        SettingsKey("ca", .text()),
        SettingsKey("deadlineMs", .integer(1...60_000)),
        SettingsKey("forward", .list(.text(pattern: headerPattern))),
        SettingsKey("calls", .integer(AuthHookSettings.callsRange)),
    ]

    private static let tls = [
        SettingsKey("certificate", .text(), isRequired: true),
        SettingsKey("key", .text(), isRequired: true),
    ]

    private static let resume = [
        SettingsKey(
            "keys",
            .list(
                .table([
                    SettingsKey(
                        "id", .text(pattern: "^[A-Za-z0-9_-]{1,32}$"), isRequired: true),
                    SettingsKey("file", .text(), isRequired: true),
                ]), isNeverEmpty: true)),
        SettingsKey("stateFolder", .text()),
        SettingsKey("snapshots", .boolean),
    ]

    private static let drain = DrainSettings.keys.map {
        SettingsKey($0, .integer(DrainSettings.msRange))
    }
}
