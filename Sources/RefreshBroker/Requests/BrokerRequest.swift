/// A session's request to the broker.
package struct BrokerRequest: Hashable, Sendable {
    package var request: LoadRequest
    /// The key of the session's load, in at most 128 ASCII characters. It is the same for each
    /// request of the load, even after a restart of the daemon. The backend receives the key of the
    /// session that started the call.
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
    /// Only a fresh page, not a stale one. The feed has changed, and a fresh page was requested
    /// after the change.
    case fresh
    /// No page. The user requested a new one.
    case none
}
