/// The owner of a session that waits for its client. The limits on waiting sessions are shared
/// between holders.
package enum SessionHolder: Hashable, Sendable {
    /// An authenticated client, on any network.
    case subject(String)
    /// Any unauthenticated client of that network.
    case network(PeerNetwork)
    /// The origin is unknown. All such sessions share one holder.
    case unknown

    init(subject: String?, network: PeerNetwork?) {
        self = subject.map { .subject($0) } ?? network.map { .network($0) } ?? .unknown
    }
}
