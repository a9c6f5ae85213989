package import WebSocketTransport

/// The server under test.
package struct ConformanceStage: Sendable {
    /// Somebody new who talks to it.
    let makePeer: @Sendable () -> any Peer
    /// Where sockets can be opened to it; nil: in process.
    let address: Address?

    /// Where a server listens, for those who speak to it byte by byte.
    struct Address: Sendable {
        var host: String
        var port: UInt16
        var path: String
    }

    /// A server at a WebSocket URL.
    package init(url: String, dialer: Dialer) {
        makePeer = { WebSocketPeer(url: url, dialer: dialer) }
        address = Address(url: url)
    }

    /// Whoever `makePeer` talks to; `url`: where sockets can be opened to it.
    package init(url: String? = nil, makePeer: @escaping @Sendable () -> any Peer) {
        self.makePeer = makePeer
        address = url.flatMap { Address(url: $0) }
    }
}

extension ConformanceStage.Address {
    /// Nil for what is no `ws` URL: TLS is not spoken byte by byte.
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
