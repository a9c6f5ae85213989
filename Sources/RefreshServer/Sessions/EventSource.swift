import RefreshBroker

/// Who brought an event, and must be answered.
enum EventSource {
    /// A message of the client with this sequence number.
    case client(seq: UInt64)
    /// The client's own backend, in the message with this sequence number.
    case clientBackend(seq: UInt64)
    case broker(LoadOutcome)
    case time

    /// The sequence number of the message.
    var seq: UInt64? {
        switch self {
        case .client(let seq), .clientBackend(let seq): seq
        case .broker, .time: nil
        }
    }

    /// Whether the client itself said how its load ended.
    var isClientBackend: Bool {
        switch self {
        case .clientBackend: true
        case .client, .broker, .time: false
        }
    }

    /// What the broker brought.
    var outcome: LoadOutcome? {
        switch self {
        case .broker(let outcome): outcome
        case .client, .clientBackend, .time: nil
        }
    }
}
