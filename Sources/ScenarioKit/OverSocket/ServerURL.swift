internal import RefreshConfiguration
internal import RefreshServer
package import WebSocketTransport

/// The WebSocket URL of a server, from the command line. It is validated, so that it can be dialed
/// unchanged. Source: docs/refresh-probe.md, "Exit statuses"; RFC 6455, 3.
package struct ServerURL: Hashable, Sendable, CustomStringConvertible {
    package let text: String
    package let target: DialTarget

    package var description: String { text }

    /// The reason why a text is not a WebSocket URL of a server.
    package struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    package init(_ text: String) throws(Malformed) {
        guard let scheme = ["ws://", "wss://"].first(where: text.hasPrefix) else {
            throw Malformed(description: "a URL must begin with ws:// or wss://")
        }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Malformed(
                description:
                    "a URL has no spaces, and other characters than ASCII are written as %XX")
        }
        guard !text.contains("#") else {
            throw Malformed(description: "the URL of a WebSocket has no fragment (#)")
        }
        let authority = text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else {
            throw Malformed(description: "this URL must not have a user (@)")
        }
        try Self.validate(authority)
        guard let target = DialTarget(url: text) else {
            throw Malformed(description: "it names no host")
        }
        self.text = text
        self.target = target
    }

    private static func validate(_ authority: Substring) throws(Malformed) {
        var host = authority
        var port: Substring?
        if authority.hasPrefix("[") {
            let end = authority.firstIndex(of: "]") ?? authority.startIndex
            host = authority[...end]
            guard IPAddress(String(host.dropFirst().dropLast()))?.isIPv6 == true else {
                throw Malformed(description: "the text in brackets is not an IPv6 address")
            }
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else {
                throw Malformed(description: "only :PORT may follow the brackets")
            }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else {
            if let colon = authority.lastIndex(of: ":") {
                host = authority[..<colon]
                port = authority[authority.index(after: colon)...]
            }
            guard host.allSatisfy({ $0.isLetter || $0.isNumber || "-._~".contains($0) }) else {
                throw Malformed(
                    description: "`\(host)` is not a host; write an IPv6 address in brackets")
            }
        }
        guard !host.isEmpty else { throw Malformed(description: "it names no host") }
        guard let port else { return }
        guard port.allSatisfy({ ("0"..."9").contains($0) }), let number = UInt16(port), number > 0
        else { throw Malformed(description: "`\(port)` is not a port; 1 to 65535") }
    }
}
