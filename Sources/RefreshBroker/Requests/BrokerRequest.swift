/// A session's request to the broker.
package struct BrokerRequest: Hashable, Sendable {
    package var request: LoadRequest
    /// The key of this load of this session, the same for each request of the load, even after a
    /// restart of the daemon. At most 128 ASCII characters. The backend receives the key of the
    /// session that started its call.
    package var idempotencyKey: String
    /// The cached pages that are accepted in place of a new answer.
    package var keptPages: KeptPages

    package init(
        _ request: LoadRequest, idempotencyKey: String, keptPages: KeptPages = .any
    ) {
        self.request = request
        self.idempotencyKey = idempotencyKey
        self.keptPages = keptPages
    }
}

/// The cached pages that a load accepts in place of a call. The cool-down and cached failures apply
/// to all loads. Source: docs/backends.md, "Cache".
package enum KeptPages: String, CaseIterable, Sendable {
    /// Any page. The daemon started the load automatically, or it loads a following page.
    case any
    /// Only a fresh page, not a stale one. The feed has newer data, and a fresh page is even newer.
    case fresh
    /// No page. The user requested a new one.
    case none
}
