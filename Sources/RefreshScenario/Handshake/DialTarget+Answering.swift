package import WebSocketTransport

extension DialTarget {
    /// Whether anybody takes connections there now. A connection is made and dropped, without a
    /// word: a server that has sessions does not see one.
    package var isAnswered: Bool { RawSocket(host: host, port: port) != nil }
}
