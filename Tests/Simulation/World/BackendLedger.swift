import RefreshBroker
import RefreshProtocol

/// The requests and answers of the simulated backends of all daemons.
struct BackendLedger {
    struct Answer {
        /// The idempotency key of the load that began the call.
        let key: String
        let request: LoadRequest
        /// The time of the answer.
        let moment: Instant
        /// The answer of the model list. Nil for feeds without model lists.
        var model: ModelAnswer?
    }

    /// The answers by number. Each item of an answer contains the number of the answer.
    private(set) var answers: [Int: Answer] = [:]
    private var requests: [String: LoadRequest] = [:]
    /// The idempotency key of each request, by load.
    private var keys: [String: [LoadRequest: String]] = [:]
    /// The requests that break a rule.
    private(set) var mistakes: [String] = []
    private(set) var calls = 0
    /// The time at which each load first began. The keys contain the session's name and the load's
    /// identifier.
    private(set) var loadStarts: [String: Instant] = [:]

    /// Records the beginning of a call.
    mutating func recordRequest(_ order: CallOrder) {
        calls += 1
        var request = order.request
        request.trigger = .manual
        if let before = requests[order.idempotencyKey], before != request {
            mistakes.append(
                "two requests have the key \(order.idempotencyKey): \(before), \(request)")
        }
        requests[order.idempotencyKey] = request
        let load = order.idempotencyKey.split(separator: "-").dropLast().joined(separator: "-")
        let known = keys[load, default: [:]][request]
        if let known, known != order.idempotencyKey {
            mistakes.append(
                "the load \(load) was requested with the keys \(known) and \(order.idempotencyKey)")
        }
        keys[load, default: [:]][request] = order.idempotencyKey
    }

    /// Records the beginning of a call that performs an edit.
    mutating func recordEdit() { calls += 1 }

    /// Records the answer to a call, and returns the number of the answer.
    mutating func answer(
        _ order: CallOrder, at now: Instant, model: ModelAnswer? = nil
    ) -> Int {
        let number = answers.count + 1
        answers[number] = Answer(
            key: order.idempotencyKey, request: order.request, moment: now, model: model)
        return number
    }

    /// Records that a session has begun a load. If the load requests several pages (a series), the
    /// idempotency key of `request` is that of the load. The broker adds the hash of each page's
    /// request to this key.
    mutating func recordLoadStart(_ request: BrokerRequest, at now: Instant) {
        let parts = request.idempotencyKey.split(separator: "-")
        let load = (request.series == nil ? parts.dropLast() : parts[...]).joined(separator: "-")
        if loadStarts[load] == nil { loadStarts[load] = now }
    }
}
