package import RefreshProtocol

/// The outcome of a load of the broker. Every load ends with exactly one outcome.
package enum LoadOutcome: Hashable, Sendable {
    case page(Page)
    case failed(LoadFailure)
    /// The session does not need the load any more, or the daemon is stopping.
    case cancelled
    /// The deadline passed before an answer arrived.
    case timedOut

    /// Whether a backend or the cache has answered.
    package var isAnswer: Bool {
        switch self {
        case .page, .failed: true
        case .cancelled, .timedOut: false
        }
    }
}

/// The reason why a load returned no page.
package struct LoadFailure: Error, Hashable, Sendable {
    /// One of the codes of `FaultCode` whose names begin with `backend`.
    package var code: FaultCode
    /// A description for the log and the client's developer, without secrets.
    @Bytewise package var message: String
    /// The time in milliseconds after which a retry makes sense, if the backend specified one.
    package var retryAfterMs: Int?

    package init(_ code: FaultCode, _ message: String, retryAfterMs: Int? = nil) {
        self.code = code
        self.message = message
        self.retryAfterMs = retryAfterMs
    }

    /// Whether the same request may succeed later.
    package var isTemporary: Bool { code.isTemporary }
}

/// A page that a look-up has found in the cache.
package struct FoundPage: Hashable, Sendable {
    package var page: Page
    /// Milliseconds since the page came from the backend.
    package var ageMs: Int
    /// Whether the page is fresh or in its cool-down, not stale.
    package var isFresh: Bool

    package init(page: Page, ageMs: Int, isFresh: Bool) {
        self.page = page
        self.ageMs = ageMs
        self.isFresh = isFresh
    }
}

/// An event of a load. A load has any number of `progressed` and `retrying` events, and then
/// exactly one `ended` event. A look-up has exactly one `lookUpEnded` event.
package enum LoadEvent: Hashable, Sendable {
    /// The backend reports its progress, 0...1.
    case progressed(Double)
    /// A call failed. Attempt number `attempt` follows after a pause of `afterMs` milliseconds.
    case retrying(attempt: Int, afterMs: Int, LoadFailure)
    case ended(LoadOutcome)
    /// A look-up has ended; nil: the cache contains no page for the request.
    case lookUpEnded(FoundPage?)

    /// Whether no further event follows.
    package var isLast: Bool {
        switch self {
        case .progressed, .retrying: false
        case .ended, .lookUpEnded: true
        }
    }
}
