internal import RefreshProtocol

/// An event that the owner of a request reports to the node that has asked for the request. A
/// remote load has any number of `waiting`, `progressed` and `retrying` events, and then at most
/// one of the other three.
package enum OwnerEvent: Hashable, Sendable {
    /// The load is running. The owner reports this every 250 ms, so the other node knows that the
    /// owner lives and has received the request.
    case waiting
    /// The backend reports its progress, 0...1.
    case progressed(Double)
    /// A call failed. Attempt number `attempt` follows after a pause of `afterMs` milliseconds.
    case retrying(attempt: Int, afterMs: Int, LoadFailure)
    /// A page from the owner's cache or from a backend. Its item keys are not transferred, because
    /// each process hashes them with its own key.
    case page(Page, RemainingLifetime)
    /// The load has failed, and the owner has made all attempts.
    case failed(LoadFailure)
    /// The owner does not perform the load. The requesting node performs it.
    case refused(OwnerRefusal)

    /// Whether no further event of the load follows.
    package var isLast: Bool {
        switch self {
        case .waiting, .progressed, .retrying: false
        case .page, .failed, .refused: true
        }
    }
}

/// The reason why the owner of a request does not perform it. The raw value is the reason on the
/// wire.
package enum OwnerRefusal: String, CaseIterable, Sendable {
    /// The owner has no such feed, or does not share it with other nodes.
    case unknownFeed
    /// The owner stops.
    case stopping
    /// The message with the page or with the request is larger than the bus allows.
    case tooLarge
    /// The owner performs too many loads of other nodes, or does not know the requesting node.
    case busy
}

/// What is left of the lifetime of a page in its owner's cache. Times travel as durations, because
/// nodes have different clocks.
package struct RemainingLifetime: Hashable, Sendable {
    /// The milliseconds for which the page is still fresh; 0: it is not cached, or it is stale.
    package var freshMs: Int
    /// The milliseconds that are left of the page's cool-down.
    package var coolDownMs: Int
    /// The milliseconds since the page came from the backend.
    package var ageMs: Int

    package init(freshMs: Int, coolDownMs: Int, ageMs: Int = 0) {
        self.freshMs = freshMs
        self.coolDownMs = coolDownMs
        self.ageMs = ageMs
    }
}
