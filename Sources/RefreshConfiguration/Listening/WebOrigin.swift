/// The origin of a web page, as browsers send it in `Origin`: scheme, host and port (RFC 6454).
package struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
    /// `http` or `https`.
    package let scheme: String
    /// The host in lower case; an IPv6 address is in brackets.
    package let host: String
    package let port: UInt16

    /// Parses `scheme://host` or `scheme://host:port`. Returns nil for the text `null`, for
    /// wildcards, and for a text with a path.
    package init?(_ text: String) {
        let lowered = text.lowercased()
        guard let mark = lowered.firstRange(of: "://") else { return nil }
        let scheme = String(lowered[..<mark.lowerBound])
        guard let standard: UInt16 = ["http": 80, "https": 443][scheme] else { return nil }
        guard
            let authority = HostAndPort(String(lowered[mark.upperBound...])),
            authority.host.utf8.allSatisfy(Self.isHostByte)
        else { return nil }
        self.scheme = scheme
        host = authority.host
        port = authority.port ?? standard
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"): true
        default: false
        }
    }

    package var description: String { "\(scheme)://\(host):\(port)" }
}
