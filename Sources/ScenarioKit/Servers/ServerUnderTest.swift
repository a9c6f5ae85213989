package import WebSocketTransport

/// The server under test.
package struct ServerUnderTest: Sendable {
    /// Creates a new client connection.
    package let makePeer: @Sendable () -> any Peer
    /// The address for raw sockets. Nil for a server in process.
    package let address: Address?

    /// The address of a server, for tests that exchange raw bytes.
    package struct Address: Sendable {
        package var host: String
        package var port: UInt16
        package var path: String
    }

    /// A server at a WebSocket URL.
    package init(url: String, dialer: Dialer) {
        makePeer = { WebSocketPeer(url: url, dialer: dialer) }
        address = Address(url: url)
    }

    /// A server to which `makePeer` connects. `url` is the address for raw sockets.
    package init(url: String? = nil, makePeer: @escaping @Sendable () -> any Peer) {
        self.makePeer = makePeer
        address = url.flatMap { Address(url: $0) }
    }
}

extension ServerUnderTest.Address {
    /// Creates an address. Nil if `url` is not a `ws` URL, because raw sockets do not support TLS.
    init?(url: String) {
        guard url.hasPrefix("ws://") else { return nil }
        let rest = url.dropFirst("ws://".count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let path = String(rest.dropFirst(authority.count))
        var name = authority
        var port: UInt16 = 80
        if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
            guard let number = UInt16(authority[authority.index(after: colon)...]) else {
                return nil
            }
            port = number
            name = authority[..<colon]
        }
        let host = name.hasPrefix("[") ? String(name.dropFirst().dropLast()) : String(name)
        self.init(host: host, port: port, path: path.isEmpty ? "/" : path)
    }
}
