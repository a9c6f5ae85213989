/// A NATS server of a cluster. Its text is a URL, such as `nats://10.0.0.1:4222`.
package struct ClusterServer: Hashable, Sendable, CustomStringConvertible {
    /// The reason why a text is not a server.
    package struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String
    }

    /// Whether connections to the server use TLS.
    package let usesTLS: Bool
    /// The name or the address, in lower case; an IPv6 address is in brackets.
    package let host: String
    package let port: UInt16

    private static let standardPort: UInt16 = 4222

    /// Parses `nats://HOST`, `tls://HOST`, `nats://HOST:PORT` or `tls://HOST:PORT`.
    package init(_ text: String) throws(Malformed) {
        guard !text.contains("@") else {
            // The message does not repeat the text, because it may contain a password.
            throw Malformed(
                description: "a server has no user and no password here; "
                    + "set `credentials`, `nkey`, or `user` and `passwordFile`")
        }
        let schemes = ["nats://": false, "tls://": true]
        guard let scheme = schemes.first(where: { text.hasPrefix($0.key) }),
            let authority = HostAndPort(String(text.dropFirst(scheme.key.count))),
            Self.isHost(authority.host), authority.port != 0
        else {
            throw Malformed(
                description:
                    "`\(text)` is not a server; write nats://HOST:PORT or tls://HOST:PORT")
        }
        usesTLS = scheme.value
        host = authority.host
        port = authority.port ?? Self.standardPort
    }

    private static func isHost(_ host: String) -> Bool {
        if host.hasPrefix("[") {
            return IPAddress(String(host.dropFirst().dropLast()))?.isIPv6 ?? false
        }
        return host.utf8.count <= 253
            && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
    }

    package var description: String { "\(usesTLS ? "tls" : "nats")://\(host):\(port)" }
}
