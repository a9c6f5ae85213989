/// A WebSocket upgrade request that the transport has found to be well formed.
package struct UpgradeRequest: Hashable, Sendable {
    /// A header, by its lower-case name.
    package struct Header: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The path, percent-decoded, without the query.
    package var path: String
    /// The arguments of the query, such as `name=value`, each percent-decoded.
    package var arguments: [String]
    /// The query without its question mark, percent-decoded; empty when there is none. If an
    /// argument contains `&`, the arguments can no longer be told apart.
    package var query: String { arguments.joined(separator: "&") }
    /// The Host header.
    package var host: String?
    /// The Origin header, which browsers send and other clients leave out.
    package var origin: String?
    /// The subprotocols offered, in the order of preference; empty when the header is absent.
    package var subprotocols: [String]
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
    /// The headers in `TransportHandler.capturedHeaderNames` that the request has.
    package var headers: [Header]
    /// The object that the handler assigned to the connection when the connection arrived.
    package var place: ConnectionContext

    /// Creates a request for tests and fakes. The transport creates its own requests.
    package init(
        path: String, arguments: [String] = [], host: String?, origin: String? = nil,
        subprotocols: [String] = [], authorization: String? = nil,
        peerAddress: String = "127.0.0.1",
        clientAddress: String? = nil, isEncrypted: Bool = false,
        isForwarded: Bool = false, localAddress: String = "127.0.0.1", localPort: UInt16 = 0,
        headers: [Header] = [], place: ConnectionContext = ConnectionContext()
    ) {
        self.headers = headers
        self.path = path
        self.arguments = arguments
        self.host = host
        self.origin = origin
        self.subprotocols = subprotocols
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
