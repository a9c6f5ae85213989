internal import RefreshBroker
internal import RefreshProtocol

/// Reads the broker's policies for a backend and for the loads of a feed. Source:
/// docs/backends.md, "What the broker does".
enum PolicyReader {
    // MARK: Backends

    static func backendPolicy(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> BackendPolicy {
        var policy = BackendPolicy()
        policy.calls = reader.integer("calls", in: settings) ?? policy.calls
        policy.queue = reader.integer("queue", in: settings) ?? policy.queue
        policy.retry = retry(settings, with: &reader)
        policy.breaker = breaker(settings, with: &reader)
        return policy
    }

    private static func retry(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> BackendPolicy.Retry {
        var retry = BackendPolicy.Retry()
        guard let keys = reader.table("retry", in: settings) else { return retry }
        retry.attempts = reader.integer("attempts", in: keys) ?? retry.attempts
        retry.baseMs = reader.integer("baseMs", in: keys) ?? retry.baseMs
        retry.capMs = reader.integer("capMs", in: keys) ?? retry.capMs
        retry.budgetPercent = reader.integer("budgetPercent", in: keys) ?? retry.budgetPercent
        return retry
    }

    private static func breaker(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> BackendPolicy.Breaker {
        var breaker = BackendPolicy.Breaker()
        guard let keys = reader.table("breaker", in: settings) else { return breaker }
        breaker.failures = reader.integer("failures", in: keys) ?? breaker.failures
        breaker.openMs = reader.integer("openMs", in: keys) ?? breaker.openMs
        return breaker
    }

    // MARK: Feeds

    static func feedPolicy(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> FeedPolicy {
        var policy = FeedPolicy()
        policy.isShared = reader.boolean("shared", in: settings) ?? policy.isShared
        policy.cache = cache(settings, with: &reader)
        policy.coolDownMs = reader.integer("coolDownMs", in: settings) ?? policy.coolDownMs
        policy.itemKey = reader.pointer("itemKey", in: settings)
        policy.changes = changes(settings, with: &reader)
        policy.isClustered = reader.boolean("cluster", in: settings) ?? policy.isClustered
        return policy
    }

    private static func changes(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> FeedPolicy.Changes {
        var changes = FeedPolicy.Changes()
        guard let keys = reader.table("changes", in: settings) else { return changes }
        changes.spreadMs = reader.integer("spreadMs", in: keys) ?? changes.spreadMs
        changes.perSecondMax = reader.integer("perSecondMax", in: keys) ?? changes.perSecondMax
        return changes
    }

    private static func cache(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> FeedPolicy.Cache? {
        guard let cache = reader.table("cache", in: settings) else { return nil }
        let lifetime = reader.integer("lifetimeMs", in: cache)
        var policy = FeedPolicy.Cache(lifetimeMs: lifetime ?? 1)
        policy.staleMs = reader.integer("staleMs", in: cache) ?? policy.staleMs
        policy.failureMs = reader.integer("failureMs", in: cache) ?? policy.failureMs
        return lifetime == nil ? nil : policy
    }
}

extension SettingsReader {
    /// Returns the value of a key whose value is a JSON pointer.
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
