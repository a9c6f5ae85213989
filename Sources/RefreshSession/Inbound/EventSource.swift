import RefreshBroker
import RefreshProtocol

/// The source of an event.
enum EventSource {
    /// A message of the client with this sequence number.
    case client(seq: UInt64)
    /// A message with this sequence number, from a client that is its own backend.
    case clientBackend(seq: UInt64)
    /// The broker, with the outcome of this load. If the outcome is a page that was deduplicated,
    /// the last value is the part of the page that is left. The case is indirect, because a scroll
    /// message copies the source, and a page is large.
    indirect case broker(LoadID, LoadOutcome, DeduplicatedPage?)
    /// The feed of the view has newer data.
    case feed
    case time

    /// The sequence number of the message.
    var seq: UInt64? {
        switch self {
        case .client(let seq), .clientBackend(let seq): seq
        case .broker, .feed, .time: nil
        }
    }

    /// Whether the source is a message about a load that the client itself performs.
    var isClientBackend: Bool {
        switch self {
        case .clientBackend: true
        case .client, .broker, .feed, .time: false
        }
    }

    /// The broker's outcome.
    var outcome: LoadOutcome? {
        switch self {
        case .broker(_, let outcome, _): outcome
        case .client, .clientBackend, .feed, .time: nil
        }
    }

    /// The broker's outcome of this load; nil if the event ends the load for another reason, for
    /// instance because another load was answered.
    func outcome(of load: LoadID) -> LoadOutcome? {
        guard case .broker(load, let outcome, _) = self else { return nil }
        return outcome
    }

    /// The part of the page of this load that remains after deduplication; nil if the page was not
    /// deduplicated.
    func page(of load: LoadID) -> DeduplicatedPage? {
        guard case .broker(load, _, let page) = self else { return nil }
        return page
    }
}
