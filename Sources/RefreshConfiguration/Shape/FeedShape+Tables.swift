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
                meaning: "the delay before attempt n+1 is random, from 0 to the smaller of capMs "
                    + "and baseMs times 2 to the n-1; ms",
                standard: standard.baseMs.description),
            SettingsKey(
                "capMs", .integer(1...60_000), meaning: "the maximum delay; ms",
                standard: standard.capMs.description),
            SettingsKey(
                "budgetPercent", .integer(0...100),
                meaning: "retries in percent of the calls, in addition to ten that are free",
                standard: standard.budgetPercent.description),
        ]
    }()

    static let breaker: [SettingsKey] = {
        let standard = BackendPolicy.Breaker()
        return [
            SettingsKey(
                "failures", .integer(0...1000),
                meaning: "consecutive failures that open the breaker; 0: no breaker",
                standard: standard.failures.description),
            SettingsKey(
                "openMs", timeout,
                meaning: "ms for which calls are then suspended; doubled each time that a probe "
                    + "fails, up to ten times openMs",
                standard: standard.openMs.description),
        ]
    }()

    static let cache: [SettingsKey] = {
        let standard = FeedPolicy.Cache(lifetimeMs: 1)
        return [
            SettingsKey(
                "lifetimeMs", .integer(1...dayMs), isRequired: true,
                meaning: "ms for which an answer is fresh, unless it states its own lifetime"),
            SettingsKey(
                "staleMs", .integer(0...dayMs),
                meaning: "ms after that for which it may be used while a new one is fetched",
                standard: standard.staleMs.description),
            SettingsKey(
                "failureMs", .integer(0...60_000),
                meaning: "ms for which a failure is repeated without a call",
                standard: standard.failureMs.description),
        ]
    }()

    /// The keys of a step. `ScriptReader` checks which keys may be combined.
    static let step: [SettingsKey] = [
        SettingsKey(
            "afterMs", .integer(0...3_600_000), meaning: "ms until the answer",
            standard: "0"),
        SettingsKey("items", .list(.json), meaning: "the items of the answer"),
        SettingsKey("more", .boolean, meaning: "whether more items follow"),
        SettingsKey("next", .text(), meaning: "the next page's cursor"),
        SettingsKey(
            "total", .integer(0...PageReader.naturalMax), meaning: "the total number of items"),
        SettingsKey(
            "maxAgeMs", .integer(0...PageReader.naturalMax),
            meaning: "ms for which the answer may be cached"),
        SettingsKey(
            "generate", .integer(0...1_000_000),
            meaning:
                "items of a generated list of this size, by the request's page, offset or cursor"),
        SettingsKey(
            "fail",
            .choice(FaultCode.allCases.map(\.rawValue).filter { $0.hasPrefix("backend") }),
            meaning: "the call fails with this code"),
        SettingsKey(
            "retryAfterMs", .integer(0...ScriptStep.retryAfterMsMax),
            meaning: "ms after which a retry is useful"),
        SettingsKey(
            "raw", .text(), meaning: "the bytes of the answer, which are parsed like any answer"),
        SettingsKey(
            "progress", .list(.number(0...1)),
            meaning: "progress that is reported, spread evenly over afterMs"),
        SettingsKey(
            "hang", .boolean, meaning: "the call never answers, but ends when it is cancelled"),
    ]
}
