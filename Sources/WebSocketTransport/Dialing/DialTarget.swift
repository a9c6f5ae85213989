/// The target of a dialed connection: the parts of a `ws` or `wss` URL.
package struct DialTarget: Hashable, Sendable {
    /// A name or an address literal, without brackets.
    package var host: String
    /// Whether TLS is used.
    package var isEncrypted: Bool
    /// The port. If the URL has none, it is 80, or 443 with TLS.
    package var port: UInt16
    /// The path and query, beginning with a slash.
    package var path: String

    /// Parses `ws://host[:port][/path][?query]`, or the same with `wss`. Returns nil for anything
    /// else.
    package init?(url: String) {
        isEncrypted = url.hasPrefix("wss://")
        guard isEncrypted || url.hasPrefix("ws://") else { return nil }
        let rest = url.dropFirst(isEncrypted ? 6 : 5)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let authority = rest[..<end]
        let tail = rest[end...]
        path = tail.hasPrefix("/") ? String(tail) : "/" + tail
        var portText: Substring?
        if authority.hasPrefix("[") {
            guard let close = authority.firstIndex(of: "]") else { return nil }
            host = String(authority[authority.index(after: authority.startIndex)..<close])
            let after = authority[authority.index(after: close)...]
            guard after.isEmpty || after.hasPrefix(":") else { return nil }
            portText = after.isEmpty ? nil : after.dropFirst()
        } else {
            let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count <= 2, let first = parts.first else { return nil }
            host = String(first)
            portText = parts.count == 2 ? parts[1] : nil
        }
        guard !host.isEmpty, let port = portText.map({ UInt16($0) }) ?? (isEncrypted ? 443 : 80),
            port > 0
        else {
            return nil
        }
        self.port = port
    }

    /// The value of the Host header.
    var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// The reason why a connection could not be dialed.
package enum DialFailure: Error, Hashable, Sendable {
    /// The text is not a URL that the dialer supports. Each dialer supports `ws` URLs, and a dialer
    /// with TLS also supports `wss` URLs.
    case urlInvalid(String)
    /// The server answered the upgrade with a status other than 101. libwebsockets does not provide
    /// the body.
    case refused(status: Int)
    /// No connection was established, or the connection ended before the server answered.
    case unreachable(reason: String)
    /// The time limit was exceeded.
    case timedOut
}
