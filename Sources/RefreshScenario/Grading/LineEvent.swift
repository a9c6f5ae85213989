/// An event of a client on one of its connections to the grading server.
struct LineEvent: Sendable {
    enum Deed: Hashable, Sendable {
        /// The client requests a WebSocket, with these subprotocols.
        case asked(subprotocols: [String], isLetIn: Bool)
        case opened
        case said(String)
        /// A binary frame.
        case saidBinary
        case left
    }

    /// The number of the connection, in the order of connecting, from 1.
    var line: Int
    var deed: Deed
    /// The time on the server's clock.
    var atMs: Double
}
