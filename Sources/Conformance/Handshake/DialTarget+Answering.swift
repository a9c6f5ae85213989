package import WebSocketTransport

extension DialTarget {
    /// Whether a server accepts connections there now. A connection is opened and dropped without
    /// data, so a server does not create a session for it.
    package var isAcceptingConnections: Bool { RawSocket(host: host, port: port) != nil }
}
