import RefreshProtocol

@testable import RefreshBroker

/// What may be kept of answers, said in another way than the cache says it: by when things happened.
struct KeptModel {
    private struct Answer {
        let begun: Instant
        let lifetimeMs: Int?
        let at: Instant
    }

    private var answers: [LoadRequest: Answer] = [:]
    /// By feed, when it changed.
    private var changes: [String: Instant] = [:]

    mutating func answer(
        _ order: CallOrder, begun: Instant, _ page: Page, at now: Instant
    ) {
        answers[order.request] = Answer(
            begun: begun, lifetimeMs: page.lifetimeMs, at: now)
    }

    mutating func change(_ feed: String, at now: Instant) { changes[feed] = now }

    /// Whether the last answer to `request` may be given again.
    func mayGive(
        _ request: LoadRequest, _ policy: FeedPolicy, isExplicit: Bool, at now: Instant
    ) -> Bool {
        guard let answer = answers[request] else { return false }
        let age = now.milliseconds(since: answer.at)
        // Milliseconds for which newer data is known of.
        let change = changes[request.feed].map { now.milliseconds(since: $0) }
        let isChanged = changes[request.feed].map { $0 >= answer.begun } ?? false
        if request.kind == .refresh, age < Double(policy.coolDownMs), !isChanged { return true }
        guard !isExplicit, let cache = policy.cache else { return false }
        let lifetime = Double(min(answer.lifetimeMs ?? cache.lifetimeMs, 86_400_000))
        guard lifetime > 0 else { return false }
        var staleness = age - lifetime
        if isChanged { staleness = max(staleness, change ?? 0) }
        return staleness < 0 || staleness < Double(cache.staleMs)
    }
}
