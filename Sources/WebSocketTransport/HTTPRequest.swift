/// A plain HTTP request on the port of the WebSocket sessions. A body, if any, is not read; a
/// `POST` or `DELETE` has none.
package struct HTTPRequest: Hashable, Sendable {
    /// `GET`, `HEAD`, `POST` or `DELETE`; other methods are answered 405 by the transport.
    package var method: String
    /// The path, percent-decoded, without the query.
    package var path: String
    /// The query without its question mark; empty when there is none.
    package var query: String
    /// The Host header.
    package var host: String?
    /// The Origin header.
    package var origin: String?
    /// The Authorization header.
    package var authorization: String?
    /// The peer's numeric address, without the port.
    package var peerAddress: String
    /// The numeric address of who asks, without the port: the peer's own, or what the peer says if
    /// it is a proxy that is believed.
    package var clientAddress: String
    /// Whether who asks speaks TLS, with us or with a proxy that is believed.
    package var isEncrypted: Bool
    /// Whether the peer says that it speaks for somebody else, believed or not.
    package var isForwarded: Bool
    /// The numeric address the peer connected to, without the port.
    package var localAddress: String
    /// The port the peer connected to.
    package var localPort: UInt16
    /// What the handler gave the connection when it arrived.
    package var place: HeldPlace

    /// A request as given; for tests and fakes, the transport makes its own.
    package init(
        method: String = "GET", path: String, query: String = "", host: String? = nil,
        origin: String? = nil, authorization: String? = nil, peerAddress: String = "127.0.0.1",
        clientAddress: String? = nil, isEncrypted: Bool = false,
        isForwarded: Bool = false, localAddress: String = "127.0.0.1", localPort: UInt16 = 0,
        place: HeldPlace = HeldPlace()
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.host = host
        self.origin = origin
        self.authorization = authorization
        self.peerAddress = peerAddress
        self.clientAddress = clientAddress ?? peerAddress
        self.isEncrypted = isEncrypted
        self.isForwarded = isForwarded
        self.localAddress = localAddress
        self.localPort = localPort
        self.place = place
    }
}
