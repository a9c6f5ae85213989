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
        meaning: "none: every client; token: a token of tokens that may connect; jwt: a JSON Web "
            + "Token; http: the decision of the service at url")

    private static let webToken = [
        SettingsKey(
            "jwks", .text(),
            meaning: "jwt: file with the keys, as in RFC 7517; this or secretFile is required"),
        SettingsKey(
            "secretFile", .text(),
            meaning: "jwt: file with the secret for HS256, at least 32 bytes"),
        SettingsKey(
            "algorithms",
            .list(
                .choice(WebTokenSettings.Algorithm.allCases.map(\.rawValue)),
                isNeverEmpty: true), isRequired: true,
            meaning: "jwt: the only accepted algorithms; required"),
        SettingsKey(
            "audience", .text(), isRequired: true,
            meaning: "jwt: must be one of the token's audiences; required"),
        SettingsKey("issuer", .text(), meaning: "jwt: must equal the token's issuer, if it is set"),
        SettingsKey(
            "skewMs", .integer(0...300_000),
            meaning: "jwt: ms by which clocks may differ",
            standard: WebTokenSettings.standardSkewMs.description),
        SettingsKey(
            "feedsClaim", .text(),
            meaning: "jwt: the claim that lists the feeds; a token without it may use all",
            standard: YAMLText.quoted(WebTokenSettings.standardFeedsClaim)),
    ]

    private static let hook = [
        SettingsKey(
            "url", .text(pattern: ConfigurationShape.webPattern), isRequired: true,
            secrecy: .address,
            meaning: "http: the service that is called at each hello; required"),
        SettingsKey(
            "ca", .text(),
            meaning: "http: file of certificates to trust instead of the system's; PEM"),
        SettingsKey(
            "deadlineMs", .integer(1...60_000),
            meaning: "http: ms within which it must answer, at most limits.authDeadlineMs",
            standard: AuthHookSettings.standardDeadlineMs.description),
        SettingsKey(
            "forward", .list(.text(pattern: ConfigurationShape.headerPattern)),
            meaning: "http: headers of the upgrade that are forwarded, in lower case",
            standard: "[]"),
        SettingsKey(
            "calls", .integer(1...10_000), meaning: "http: concurrent calls",
            standard: AuthHookSettings.standardCalls.description),
    ]
}
