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

extension LoadRequest {
    /// The request by which the tests record an edit. No load has its size.
    static func edit(_ request: EditRequest) -> LoadRequest {
        LoadRequest(
            feed: request.feed, kind: .refresh, page: 0, offset: 0, size: 0,
            subject: request.subject)
    }
}

extension BrokerRequest {
    /// Whether the tests have recorded an edit by this request.
    var isEdit: Bool { request.size == 0 }
}

extension EditRequest {
    /// An edit of the list `list` that inserts an item with this key at the start.
    static func insert(
        _ key: String, feed: String = "list", idempotencyKey: String = "key",
        subject: String? = nil
    ) -> EditRequest {
        let hash = SipHash(key: 1, 2)
        let text = Array("\"\(key)\"".utf8)
        let item = Array("{\"id\":\"\(key)\"}".utf8)
        return EditRequest(
            feed: feed,
            ItemOperation(
                .insert, ItemOperation.Key(text, hashedBy: hash), at: .start, item: item,
                hashedBy: hash),
            idempotencyKey: idempotencyKey, subject: subject)
    }
}

extension FeedPolicy {
    /// The policy of a feed that accepts all edits.
    static var editable: FeedPolicy {
        var policy = FeedPolicy()
        policy.itemKey = JSONPointer("/id")
        policy.edits = Set(ItemOperation.Kind.allCases)
        return policy
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
