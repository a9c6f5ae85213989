import RefreshBroker
import RefreshProtocol

/// What a simulated backend was asked and has answered, over all daemons.
struct BackendLedger {
    struct Answer {
        /// Of the load that began the call.
        let key: String
        let request: LoadRequest
    }

    /// By the number that each item of an answer carries.
    private(set) var answers: [Int: Answer] = [:]
    private var asked: [String: LoadRequest] = [:]
    /// By load, and by what it asked for.
    private var keys: [String: [LoadRequest: String]] = [:]
    /// What was asked that must not be.
    private(set) var mistakes: [String] = []
    private(set) var calls = 0

    /// A call begins.
    mutating func ask(_ order: CallOrder) {
        calls += 1
        var request = order.request
        request.trigger = .manual
        if let before = asked[order.idempotencyKey], before != request {
            mistakes.append(
                "the key \(order.idempotencyKey) stands for two requests: \(before), \(request)")
        }
        asked[order.idempotencyKey] = request
        let load = order.idempotencyKey.split(separator: "-").dropLast().joined(separator: "-")
        let known = keys[load, default: [:]][request]
        if let known, known != order.idempotencyKey {
            mistakes.append(
                "the load \(load) was asked for by \(known) and \(order.idempotencyKey)")
        }
        keys[load, default: [:]][request] = order.idempotencyKey
    }

    /// A call is answered; the number of that answer.
    mutating func answer(_ order: CallOrder) -> Int {
        let number = answers.count + 1
        answers[number] = Answer(key: order.idempotencyKey, request: order.request)
        return number
    }
}
