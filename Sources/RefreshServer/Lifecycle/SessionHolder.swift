internal import WebSocketTransport

/// Whose a session is that waits for its client, as far as shares of what may wait tell clients
/// apart.
enum SessionHolder: Hashable, Sendable {
    /// A client that said who it is, wherever it was.
    case subject(String)
    /// Somebody there.
    case network(PeerNetwork)
    /// Nobody can tell: all of these are one.
    case unknown

    init(subject: String?, network: PeerNetwork?) {
        self = subject.map { .subject($0) } ?? network.map { .network($0) } ?? .unknown
    }
}
