import RefreshBroker

/// The source of an event.
enum EventSource {
    /// A message of the client with this sequence number.
    case client(seq: UInt64)
    /// A message with this sequence number, from a client that is its own backend.
    case clientBackend(seq: UInt64)
    /// The broker, with the outcome of a load. If the outcome is a page that was deduplicated, the
    /// second value is the part of the page that is left. The case is indirect, because a scroll
    /// message copies the source, and a page is large.
    indirect case broker(LoadOutcome, DeduplicatedPage?)
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
        case .broker(let outcome, _): outcome
        case .client, .clientBackend, .feed, .time: nil
        }
    }

    /// The part of the broker's page that remains after deduplication; nil if the page was not
    /// deduplicated.
    var deduplicatedPage: DeduplicatedPage? {
        switch self {
        case .broker(_, let deduplicated): deduplicated
        case .client, .clientBackend, .feed, .time: nil
        }
    }
}
