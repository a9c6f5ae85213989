import RefreshProtocol

@testable import RefreshBroker

extension LoadRequest {
    /// A request that the tests identify by its page.
    static func page(
        _ page: Int, feed: String = "list", kind: LoadKind = .more, subject: String? = nil
    ) -> LoadRequest {
        LoadRequest(feed: feed, kind: kind, page: page, offset: 0, size: 10, subject: subject)
    }
}

extension Page {
    /// An answer that the tests identify by its count.
    static func of(_ count: Int, lifetimeMs: Int? = nil) -> Page {
        let items = (0..<count).map(String.init).joined(separator: ",")
        return Page(items: Array("[\(items)]".utf8), count: count, lifetimeMs: lifetimeMs)
    }

    /// The cursor that identifies the answer to a request.
    static func mark(of request: LoadRequest) -> String {
        "\(request.feed)/\(request.kind)/\(request.page)/\(request.subject ?? "-")"
    }
}

extension Instant {
    static func ms(_ milliseconds: Double) -> Instant { Instant(milliseconds: milliseconds) }
}

extension LoadBroker<Int>.Event {
    /// The event `started` with an arbitrary idempotency key.
    static func requested(
        _ request: LoadRequest, _ waiter: Int, deadline: Instant, keptPages: KeptPages = .any,
        isLookUp: Bool = false
    ) -> Self {
        .started(
            BrokerRequest(
                request, idempotencyKey: "key", keptPages: keptPages, isLookUp: isLookUp), waiter,
            deadline: deadline)
    }

    static func failed(_ id: UInt64, _ code: FaultCode, retryAfterMs: Int? = nil) -> Self {
        .answered(
            CallID(id), .failure(LoadFailure(code, "no", retryAfterMs: retryAfterMs)))
    }

    static func succeeded(_ id: UInt64, _ count: Int = 1, lifetimeMs: Int? = nil) -> Self {
        .answered(CallID(id), .success(.of(count, lifetimeMs: lifetimeMs)))
    }
}

extension LoadBroker<Int>.Effect {
    static func call(
        _ id: UInt64, _ request: LoadRequest, attempt: Int = 1, deadline: Instant = .ms(100)
    ) -> Self {
        .call(
            CallOrder(
                id: CallID(id), request, idempotencyKey: "key", attempt: attempt,
                deadline: deadline))
    }

    static func end(_ waiters: Int..., as outcome: LoadOutcome) -> Self {
        .deliver(waiters, .ended(outcome))
    }
}
