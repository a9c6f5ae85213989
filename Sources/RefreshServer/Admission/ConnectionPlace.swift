internal import Synchronization
internal import WebSocketTransport

/// The place of one connection among those that are counted, from accept to its end.
final class ConnectionPlace: Sendable {
    /// What the connection is counted as.
    enum Kind: Hashable, Sendable {
        /// One of `connectionsMax`.
        case counted
        /// One too many, in only to be told so.
        case surplus
        /// One of `adminConnectionsMax`.
        case admin
        /// One too many of those, in only to be told so.
        case adminSurplus

        /// Whether it is in only to be told that it is one too many.
        var isSurplus: Bool {
            switch self {
            case .counted, .admin: false
            case .surplus, .adminSurplus: true
            }
        }
    }

    let kind: Kind
    /// By whose bound it counts; nil for one that came by a trusted proxy and has not said yet for
    /// whom, or for somebody who has too many. Changed by `Doorkeeper` alone, within its own lock.
    let network: Mutex<PeerNetwork?>

    init(_ kind: Kind, _ network: PeerNetwork?) {
        self.kind = kind
        self.network = Mutex(network)
    }
}
