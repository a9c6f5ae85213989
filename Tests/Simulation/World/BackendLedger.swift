import RefreshBroker
import RefreshProtocol

/// The requests and answers of the simulated backends of all daemons.
struct BackendLedger {
    struct Answer {
        /// The idempotency key of the load that began the call.
        let key: String
        let request: LoadRequest
        /// What the model answers. Nil for other feeds.
        var model: ModelAnswer?
    }

    /// The answers by number. Each item of an answer carries that number.
    private(set) var answers: [Int: Answer] = [:]
    private var requests: [String: LoadRequest] = [:]
    /// The idempotency key of each request, by load.
    private var keys: [String: [LoadRequest: String]] = [:]
    /// The requests that break a rule.
    private(set) var mistakes: [String] = []
    private(set) var calls = 0
    /// When each load began for the first time, by the name of its session and its identifier.
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

    /// Records the answer of a call, and returns the number of the answer.
    mutating func answer(_ order: CallOrder, model: ModelAnswer? = nil) -> Int {
        let number = answers.count + 1
        answers[number] = Answer(
            key: order.idempotencyKey, request: order.request, model: model)
        return number
    }

    /// Records that a session has begun the load with this idempotency key.
    mutating func recordLoadStart(_ key: String, at now: Instant) {
        let load = key.split(separator: "-").dropLast().joined(separator: "-")
        if loadStarts[load] == nil { loadStarts[load] = now }
    }
}
