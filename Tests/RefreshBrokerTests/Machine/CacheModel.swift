import RefreshProtocol

@testable import RefreshBroker

/// A model of the cache. The model decides whether a cached answer may be returned. It uses only
/// the times of events.
struct CacheModel {
    private struct Answer {
        let call: CallID
        let lifetimeMs: Int?
        let at: Instant
        /// If the answer came from another node: what was left of its lifetime.
        let remaining: RemainingLifetime?
    }

    private var answers: [LoadRequest: Answer] = [:]
    /// For each list, the last call that began before the latest first page arrived.
    private var lists: [LoadRequest: UInt64] = [:]
    /// For each feed, the time of the latest change, and the last call that began before this
    /// change.
    private var changes: [String: (at: Instant, after: UInt64)] = [:]

    /// Returns the request without its trigger, because the trigger does not distinguish loads.
    private func equal(_ request: LoadRequest) -> LoadRequest {
        var request = request
        request.trigger = .manual
        return request
    }

    /// Returns a request with only the properties that all pages of a list share.
    private func list(_ request: LoadRequest) -> LoadRequest {
        LoadRequest(
            feed: request.feed, kind: .refresh, page: 0, offset: 0, size: 0,
            parameters: request.parameters, headers: request.headers, subject: request.subject)
    }

    /// Records the answer to a call, or to the ask of another node. `last` is the call or the ask
    /// that began last.
    mutating func answer(
        _ id: CallID, _ request: LoadRequest, _ page: Page, _ remaining: RemainingLifetime? = nil,
        last: UInt64, at now: Instant
    ) {
        if request.kind == .refresh { lists[list(request)] = last }
        answers[equal(request)] = Answer(
            call: id, lifetimeMs: remaining?.freshMs ?? page.lifetimeMs, at: now,
            remaining: remaining)
    }

    mutating func change(_ feed: String, after call: UInt64, at now: Instant) {
        changes[feed] = (now, call)
    }

    /// Returns the whole milliseconds since the last answer to `request`.
    func ageMs(of request: LoadRequest, at now: Instant) -> Int? {
        answers[equal(request)].map {
            Int(now.milliseconds(since: $0.at) + Double($0.remaining?.ageMs ?? 0))
        }
    }

    /// Returns whether the last answer to `request` may be returned from the cache.
    func mayReturn(
        _ request: LoadRequest, _ policy: FeedPolicy, taking pages: KeptPages, at now: Instant
    ) -> Bool {
        guard let answer = answers[equal(request)] else { return false }
        if request.kind == .more, let last = lists[list(request)], answer.call.number <= last {
            return false
        }
        let age = now.milliseconds(since: answer.at)
        // The milliseconds since the latest change of the feed.
        let change = changes[request.feed].map { now.milliseconds(since: $0.at) }
        let isChanged = changes[request.feed].map { $0.after >= answer.call.number } ?? false
        let coolDownMs = min(policy.coolDownMs, answer.remaining?.coolDownMs ?? policy.coolDownMs)
        if request.kind == .refresh, age < Double(coolDownMs), !isChanged { return true }
        // A refresh needs an answer that was requested after the change.
        if request.kind == .refresh, isChanged { return false }
        guard pages != .none, let cache = policy.cache else { return false }
        let lifetime = Double(min(answer.lifetimeMs ?? cache.lifetimeMs, 86_400_000))
        guard lifetime > 0 else { return false }
        var staleness = age - lifetime
        if isChanged { staleness = max(staleness, change ?? 0) }
        return staleness < 0 || (pages == .any && staleness < Double(cache.staleMs))
    }
}
