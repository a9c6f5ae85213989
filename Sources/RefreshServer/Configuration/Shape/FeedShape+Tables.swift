internal import RefreshBroker
internal import RefreshProtocol

/// The tables within the keys of feeds.
extension FeedShape {
    private static let dayMs = 86_400_000

    static let retry: [SettingsKey] = {
        let standard = BackendPolicy.Retry()
        return [
            SettingsKey(
                "attempts", .integer(1...10), meaning: "calls for one load",
                standard: standard.attempts.description),
            SettingsKey(
                "baseMs", .integer(1...60_000),
                meaning: "the pause before attempt n+1 is drawn from 0 to the smaller of capMs "
                    + "and baseMs times 2 to the n-1; ms",
                standard: standard.baseMs.description),
            SettingsKey(
                "capMs", .integer(1...60_000), meaning: "the longest pause; ms",
                standard: standard.capMs.description),
            SettingsKey(
                "budgetPercent", .integer(0...100),
                meaning: "retries may be so many percent of the calls, beside ten that are free",
                standard: standard.budgetPercent.description),
        ]
    }()

    static let breaker: [SettingsKey] = {
        let standard = BackendPolicy.Breaker()
        return [
            SettingsKey(
                "failures", .integer(0...1000),
                meaning: "so many failures in a row open it; 0: there is none",
                standard: standard.failures.description),
            SettingsKey(
                "openMs", timeout,
                meaning: "ms for which the backend is then not asked; doubled each time that a "
                    + "probe fails, at most ten times",
                standard: standard.openMs.description),
        ]
    }()

    static let cache: [SettingsKey] = {
        let standard = FeedPolicy.Cache(lifetimeMs: 1)
        return [
            SettingsKey(
                "lifetimeMs", .integer(1...dayMs), isRequired: true,
                meaning: "ms for which an answer is fresh, unless it says how long itself"),
            SettingsKey(
                "staleMs", .integer(0...dayMs),
                meaning: "ms after that for which it may be given while a new one is got",
                standard: standard.staleMs.description),
            SettingsKey(
                "failureMs", .integer(0...60_000),
                meaning: "ms for which a failure is given again without asking",
                standard: standard.failureMs.description),
        ]
    }()

    /// The keys of a step. The reader checks which belong together.
    static let step: [SettingsKey] = [
        SettingsKey(
            "afterMs", .integer(0...3_600_000), meaning: "ms after which it answers",
            standard: "0"),
        SettingsKey("items", .list(.json), meaning: "the items of the answer"),
        SettingsKey("more", .boolean, meaning: "whether more follow"),
        SettingsKey("next", .text(), meaning: "the next page's cursor"),
        SettingsKey(
            "total", .integer(0...PageReader.naturalMax), meaning: "all items of the feed"),
        SettingsKey(
            "maxAgeMs", .integer(0...PageReader.naturalMax),
            meaning: "ms for which the answer may be kept"),
        SettingsKey(
            "generate", .integer(0...1_000_000),
            meaning: "the items of a list of so many, by the request's page, offset or cursor"),
        SettingsKey(
            "fail",
            .choice(FaultCode.allCases.map(\.rawValue).filter { $0.hasPrefix("backend") }),
            meaning: "it fails with this code"),
        SettingsKey(
            "retryAfterMs", .integer(0...ScriptStep.retryAfterMsMax),
            meaning: "ms after which it makes sense to ask again"),
        SettingsKey("raw", .text(), meaning: "these bytes are the answer, and are read as one"),
        SettingsKey(
            "progress", .list(.number(0...1)),
            meaning: "what it says of its progress, spread evenly over afterMs"),
        SettingsKey(
            "hang", .boolean, meaning: "it never answers, but ends when it is cancelled"),
    ]
}
