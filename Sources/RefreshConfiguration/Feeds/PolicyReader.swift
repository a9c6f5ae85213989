internal import RefreshBroker

/// Reads the broker's policy for a backend. Source: docs/backends.md, "What the broker does".
enum BackendPolicyReader {
    static func policy(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> BackendPolicy {
        var policy = BackendPolicy()
        policy.calls = reader.integer("calls", in: settings, 1...10_000) ?? policy.calls
        policy.queue = reader.integer("queue", in: settings, 0...100_000) ?? policy.queue
        policy.retry = retry(settings, with: &reader)
        policy.breaker = breaker(settings, with: &reader)
        return policy
    }

    private static func retry(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> BackendPolicy.Retry {
        var retry = BackendPolicy.Retry()
        let known = ["attempts", "baseMs", "capMs", "budgetPercent"]
        guard let keys = reader.mapping("retry", in: settings, known: known) else { return retry }
        retry.attempts = reader.integer("attempts", in: keys, 1...10) ?? retry.attempts
        retry.baseMs = reader.integer("baseMs", in: keys, 1...60_000) ?? retry.baseMs
        retry.capMs = reader.integer("capMs", in: keys, 1...60_000) ?? retry.capMs
        retry.budgetPercent =
            reader.integer("budgetPercent", in: keys, 0...100) ?? retry.budgetPercent
        return retry
    }

    private static func breaker(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> BackendPolicy.Breaker {
        var breaker = BackendPolicy.Breaker()
        guard
            let keys = reader.mapping("breaker", in: settings, known: ["failures", "openMs"])
        else { return breaker }
        breaker.failures = reader.integer("failures", in: keys, 0...1000) ?? breaker.failures
        breaker.openMs = reader.integer("openMs", in: keys, 1...600_000) ?? breaker.openMs
        return breaker
    }
}

/// Reads the broker's policy for the loads of a feed. Source: docs/backends.md, "What the broker
/// does".
enum FeedPolicyReader {
    private static let dayMs = 86_400_000

    static func policy(_ section: FeedSection, with reader: inout SettingsReader) -> FeedPolicy {
        let settings = section.settings
        var policy = FeedPolicy()
        policy.isShared = reader.boolean("shared", in: settings) ?? policy.isShared
        policy.cache = cache(settings, with: &reader)
        policy.coolDownMs =
            reader.integer("coolDownMs", in: settings, 0...3_600_000) ?? policy.coolDownMs
        policy.itemKey = reader.pointer("itemKey", in: settings)
        return policy
    }

    private static func cache(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> FeedPolicy.Cache? {
        let known = ["lifetimeMs", "staleMs", "failureMs"]
        guard let cache = reader.mapping("cache", in: settings, known: known) else { return nil }
        if cache["lifetimeMs"] == nil {
            reader.report("`lifetimeMs` is missing", key: cache.path, at: cache.node)
        }
        let lifetime = reader.integer("lifetimeMs", in: cache, 1...dayMs)
        let stale = reader.integer("staleMs", in: cache, 0...dayMs)
        let failure = reader.integer("failureMs", in: cache, 0...60_000)
        return lifetime.map {
            FeedPolicy.Cache(lifetimeMs: $0, staleMs: stale ?? 0, failureMs: failure ?? 0)
        }
    }
}

extension SettingsReader {
    /// Reads a JSON pointer into an answer.
    mutating func pointer(_ name: String, in settings: SettingsMapping) -> JSONPointer? {
        guard let node = settings[name],
            let text = string(node, key: settings.key(name))
        else { return nil }
        if let pointer = JSONPointer(text) { return pointer }
        report(
            "`\(text)` is not a JSON pointer (RFC 6901); write it as /a/b", key: settings.key(name),
            at: node)
        return nil
    }
}
