/// The keys of `auth`. `AuthReader` checks which keys may be combined. Source:
/// docs/configuration.md, "auth".
enum AuthShape {
    /// The keys of all modes. A key that only one mode requires is optional here.
    static let keys = [mode] + (webToken + hook).map(\.optional)

    /// Returns the keys of one mode.
    static func keys(of mode: AuthMode) -> [SettingsKey] {
        switch mode {
        case .none, .token: [Self.mode]
        case .jwt: [Self.mode] + webToken
        case .http: [Self.mode] + hook
        }
    }

    static let mode = SettingsKey(
        "mode", .choice(AuthMode.allCases.map(\.rawValue)), isRequired: true,
        meaning: "none: every client; token: clients with a token that may connect; jwt: clients "
            + "with a valid JSON Web Token; http: clients that the service at url accepts")

    private static let webToken = [
        SettingsKey(
            "jwks", .text(),
            meaning: "jwt: file with the keys, as in RFC 7517; keys or secretFile is required"),
        SettingsKey(
            "secretFile", .text(),
            meaning: "jwt: file with the secret for HS256; at least 32 bytes"),
        SettingsKey(
            "algorithms",
            .list(
                .choice(WebTokenSettings.Algorithm.allCases.map(\.rawValue)),
                isNeverEmpty: true), isRequired: true,
            meaning: "jwt: the only accepted algorithms; required"),
        SettingsKey(
            "audience", .text(), isRequired: true,
            meaning: "jwt: the audience that a token must name; required"),
        SettingsKey(
            "issuer", .text(),
            meaning: "jwt: the issuer that a token must name; without this setting, any issuer "
                + "is accepted"),
        SettingsKey(
            "skewMs", .integer(0...300_000),
            meaning: "jwt: ms by which the clocks of the daemon and of the issuer may differ",
            standard: WebTokenSettings.standardSkewMs.description),
        SettingsKey(
            "feedsClaim", .text(),
            meaning: "jwt: the claim that lists the permitted feeds; without the claim, all feeds "
                + "are permitted",
            standard: YAMLText.quoted(WebTokenSettings.standardFeedsClaim)),
    ]

    private static let hook = [
        SettingsKey(
            "url", .text(pattern: ConfigurationShape.webPattern), isRequired: true,
            secrecy: .address,
            meaning: "http: the service that is called at each hello; required"),
        SettingsKey(
            "ca", .text(),
            meaning: "http: PEM file of the certificates that are trusted in place of the system's"),
        SettingsKey(
            "deadlineMs", .integer(1...60_000),
            meaning: "http: ms within which the service must answer; at most limits.authDeadlineMs",
            standard: AuthHookSettings.standardDeadlineMs.description),
        SettingsKey(
            "forward", .list(.text(pattern: ConfigurationShape.headerPattern)),
            meaning: "http: headers of the upgrade that the service receives, in lower case",
            standard: "[]"),
        SettingsKey(
            "calls", .integer(1...10_000), meaning: "http: maximum number of concurrent calls",
            standard: AuthHookSettings.standardCalls.description),
    ]
}
