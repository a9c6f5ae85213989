import RefreshBroker

/// Who brought an event, and must be answered.
enum EventSource {
    /// A message of the client with this sequence number.
    case client(seq: UInt64)
    /// The client's own backend, in the message with this sequence number.
    case clientBackend(seq: UInt64)
    /// With what is left of a page.
    case broker(LoadOutcome, ItemCut?)
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

    /// Whether the client itself said how its load ended.
    var isClientBackend: Bool {
        switch self {
        case .clientBackend: true
        case .client, .broker, .feed, .time: false
        }
    }

    /// What the broker brought.
    var outcome: LoadOutcome? {
        switch self {
        case .broker(let outcome, _): outcome
        case .client, .clientBackend, .feed, .time: nil
        }
    }

    /// What is left of the page that the broker brought; nil: all of it.
    var cut: ItemCut? {
        switch self {
        case .broker(_, let cut): cut
        case .client, .clientBackend, .feed, .time: nil
        }
    }
}
