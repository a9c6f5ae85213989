/// The owner of a session that waits for its client. If a limit on waiting sessions is exceeded,
/// sessions of the holder with the most sessions or bytes are dropped.
package enum SessionHolder: Hashable, Sendable {
    /// An authenticated client, on any network.
    case subject(String)
    /// All unauthenticated clients of this network.
    case network(PeerNetwork)
    /// Every unauthenticated client whose network is unknown. All these clients share one holder.
    case unknown

    init(subject: String?, network: PeerNetwork?) {
        self = subject.map { .subject($0) } ?? network.map { .network($0) } ?? .unknown
    }
}
