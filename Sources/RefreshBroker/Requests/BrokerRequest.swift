package import RefreshProtocol

/// A request of a session, or of another node of the cluster, to the broker.
package struct BrokerRequest: Hashable, Sendable {
    package var request: LoadRequest
    /// The idempotency key of the session's load, with at most 128 ASCII characters. It is the same
    /// for each request of the load, even after a restart of the daemon. If several sessions share
    /// a call, the backend receives the idempotency key of the session that started the call. For a
    /// series, it identifies the load, and the idempotency key of each page is derived from it.
    package var idempotencyKey: String
    /// The cached pages that are accepted in place of a new answer.
    package var keptPages: KeptPages
    /// Whether the request only looks the page up in the cache. It accepts any page, causes no call
    /// and ends immediately with `lookUpEnded`.
    package var isLookUp: Bool
    /// If the request is for a series: its pages. `request` is then the request for the first of
    /// them.
    package var series: PageSeries?
    /// Whether another node has asked for the page. This node then answers from its cache or by a
    /// call of its own, and does not ask a third node.
    package var isRemote: Bool

    package init(
        _ request: LoadRequest, idempotencyKey: String, keptPages: KeptPages = .any,
        isLookUp: Bool = false, series: PageSeries? = nil, isRemote: Bool = false
    ) {
        self.request = request
        self.idempotencyKey = idempotencyKey
        self.keptPages = keptPages
        self.isLookUp = isLookUp
        self.series = series
        self.isRemote = isRemote
    }
}

/// Consecutive pages of a feed that are requested together, and answered with one answer. Source:
/// docs/protocol.md, "Refresh at depth".
package struct PageSeries: Hashable, Sendable {
    /// The number of pages, at least 1.
    package var count: Int
    /// The number of pages of the feed before the first page.
    package var skipped: Int
    package var style: PagingStyle

    package init(count: Int, skipped: Int, style: PagingStyle) {
        self.count = count
        self.skipped = skipped
        self.style = style
    }
}

/// The cached pages that a load accepts in place of a call. The cool-down and cached failures apply
/// to all loads. Source: docs/backends.md, "Cache".
package enum KeptPages: String, CaseIterable, Sendable {
    /// Any page. This value is used if the daemon started the load automatically, or if the load
    /// requests a following page.
    case any
    /// Only a page within its lifetime. This value is used after a change of the feed. The change
    /// has ended the lifetime of each older page, so a fresh page was requested after the change.
    /// This value is also used for a new query.
    case fresh
    /// No page. This value is used if the user requested a new page.
    case none
}
