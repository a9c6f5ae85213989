internal import RefreshSession
internal import Synchronization
internal import WebSocketTransport

/// How a connection is counted from accept to close: its kind and its network. This is not the
/// place of a session (see `AdmissionState`).
final class ConnectionPlace: Sendable {
    /// How the connection is counted.
    enum Kind: Hashable, Sendable {
        /// The connection counts against `connectionsMax`.
        case counted
        /// A surplus connection, admitted only to be refused with a reason.
        case surplus
        /// The connection counts against `adminConnectionsMax`.
        case admin
        /// A surplus admin connection, admitted only to be refused with a reason.
        case adminSurplus

        /// Whether the connection was admitted only to be refused.
        var isSurplus: Bool {
            switch self {
            case .counted, .admin: false
            case .surplus, .adminSurplus: true
            }
        }
    }

    let kind: Kind
    /// The network that the connection is counted for. Nil if a trusted proxy opened the connection
    /// and has not yet named a client, or has named a client with too many connections. Only
    /// `ConnectionLimiter` changes the network, while it holds its own lock.
    let network: Mutex<PeerNetwork?>

    init(_ kind: Kind, _ network: PeerNetwork?) {
        self.kind = kind
        self.network = Mutex(network)
    }
}
