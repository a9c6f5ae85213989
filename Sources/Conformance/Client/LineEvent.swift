/// An event of a client on one of its connections to the grading server.
struct ConnectionEvent: Sendable {
    enum Kind: Hashable, Sendable {
        /// The client requests a WebSocket, with these subprotocols.
        case upgradeRequested(subprotocols: [String], isLetIn: Bool)
        case opened
        case message(String)
        /// A binary frame.
        case binaryMessage
        case disconnected
    }

    /// The number of the connection, in the order of connecting, from 1.
    var connection: Int
    var kind: Kind
    /// The time on the server's clock.
    var atMs: Double
}
