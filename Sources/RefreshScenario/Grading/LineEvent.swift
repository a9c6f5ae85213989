/// What a client does on one of its connections to the server that grades it.
struct LineEvent: Sendable {
    enum Deed: Hashable, Sendable {
        /// It asks for a WebSocket, with these subprotocols.
        case asked(subprotocols: [String], isLetIn: Bool)
        case opened
        case said(String)
        /// A frame that is no text.
        case saidBinary
        case left
    }

    /// Connections are numbered as they come, from 1.
    var line: Int
    var deed: Deed
    /// On the server's clock.
    var atMs: Double
}
