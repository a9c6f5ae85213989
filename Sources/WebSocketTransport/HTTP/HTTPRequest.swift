/// An HTTP request that is not an upgrade, on the port of the WebSocket sessions. The body of a
/// `GET` or `HEAD` is dropped. A `DELETE` with a body is refused. A `POST` with a body is refused
/// if `TransportHandler.bodyDecision` does not allow the body.
package struct HTTPRequest: Hashable, Sendable {
    /// `GET`, `HEAD`, `POST` or `DELETE`. The transport answers other methods with 405.
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
    /// The client's numeric address, without the port. It is the peer's own address, or the
    /// forwarded address if the peer is a trusted proxy.
    package var clientAddress: String
    /// Whether the client uses TLS, to the daemon or to a trusted proxy.
    package var isEncrypted: Bool
    /// Whether the peer declares that it forwards another client's request. The peer need not be a
    /// trusted proxy.
    package var isForwarded: Bool
    /// The numeric address to which the peer connected, without the port.
    package var localAddress: String
    /// The port to which the peer connected.
    package var localPort: UInt16
    /// The object that the handler assigned to the connection when the connection arrived.
    package var place: ConnectionContext
    /// The body of a `POST`; empty if there is none.
    package var body: [UInt8]

    /// Creates a request for tests and fakes. The transport creates its own requests.
    package init(
        method: String = "GET", path: String, query: String = "", host: String? = nil,
        origin: String? = nil, authorization: String? = nil, peerAddress: String = "127.0.0.1",
        clientAddress: String? = nil, isEncrypted: Bool = false,
        isForwarded: Bool = false, localAddress: String = "127.0.0.1", localPort: UInt16 = 0,
        place: ConnectionContext = ConnectionContext(), body: [UInt8] = []
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
        self.body = body
    }
}

/// The decision about the body of a request.
package enum BodyDecision: Sendable {
    /// The body is read if it has at most this number of bytes. If the number is 0, the request
    /// must not have a body.
    case read(bytesMax: Int)
    /// The request is answered without its body, and the connection is closed.
    case refuse(HTTPResponse)
}
