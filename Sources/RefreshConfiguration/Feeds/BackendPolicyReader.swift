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
