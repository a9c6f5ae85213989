/// The shape of `auth`. The reader checks which keys belong together. Source:
/// docs/configuration.md, "auth".
enum AuthShape {
    static let keys = [mode] + webToken + hook

    private static let mode = SettingsKey(
        "mode", .choice(AuthMode.allCases.map(\.rawValue)), isRequired: true,
        meaning: "everybody; a token of tokens that may connect; a JSON Web Token; whoever the "
            + "service at url knows")

    private static let webToken = [
        SettingsKey(
            "jwks", .text(),
            meaning: "jwt: file with the keys, as RFC 7517 says; this or secretFile is required"),
        SettingsKey(
            "secretFile", .text(),
            meaning: "jwt: file with the secret of HS256, at least 32 bytes"),
        SettingsKey(
            "algorithms",
            .list(
                .choice(WebTokenSettings.Algorithm.allCases.map(\.rawValue)),
                isNeverEmpty: true),
            meaning: "jwt: those that are accepted, and no other; required"),
        SettingsKey(
            "audience", .text(), meaning: "jwt: must be one of the token's; required"),
        SettingsKey("issuer", .text(), meaning: "jwt: must be the token's, if it is set"),
        SettingsKey(
            "skewMs", .integer(WebTokenSettings.skewMsRange),
            meaning: "jwt: by how many ms clocks may differ",
            standard: WebTokenSettings.standardSkewMs.description),
        SettingsKey(
            "feedsClaim", .text(),
            meaning: "jwt: the claim that lists the feeds; a token without it has all",
            standard: YAMLText.quoted(WebTokenSettings.standardFeedsClaim)),
    ]

    private static let hook = [
        SettingsKey(
            "url", .text(pattern: ConfigurationShape.webPattern), secrecy: .address,
            meaning: "http: the service that is asked at each hello; required"),
        SettingsKey(
            "ca", .text(),
            meaning: "http: file of certificates to trust instead of the system's; PEM"),
        SettingsKey(
            "deadlineMs", .integer(1...60_000),
            meaning: "http: ms within which it answers, at most limits.authDeadlineMs",
            standard: AuthHookSettings.standardDeadlineMs.description),
        SettingsKey(
            "forward", .list(.text(pattern: ConfigurationShape.headerPattern)),
            meaning: "http: headers of the upgrade that are passed on, in lower case",
            standard: "[]"),
        SettingsKey(
            "calls", .integer(AuthHookSettings.callsRange), meaning: "http: calls at one time",
            standard: AuthHookSettings.standardCalls.description),
    ]
}
