/// The address of a server: `nats://HOST:PORT`, or `tls://HOST:PORT` for a connection over TLS.
///
/// The port is optional, and 4222 without it. An IPv6 address is written in brackets. User names
/// and passwords are options of their own (`BusOptions.Credentials`), so that no URL that is logged
/// contains a password.
package struct BusServer: Hashable, Sendable {
    package let url: String
    /// The host, without the brackets of an IPv6 address. The server's certificate must be for this
    /// host.
    let host: String
    let isSecure: Bool

    package init(_ url: String) throws(BusError) {
        guard let parsed = Self.parse(url) else {
            throw BusError("\(url) is not an address like nats://HOST:4222 or tls://HOST:4222.")
        }
        self.url = url
        (host, isSecure) = parsed
    }

    private static func parse(_ url: String) -> (host: String, isSecure: Bool)? {
        let isSecure = url.hasPrefix("tls://")
        guard isSecure || url.hasPrefix("nats://") else { return nil }
        let address = url.dropFirst(isSecure ? 6 : 7)
        if address.first == "[" {
            guard let end = address.firstIndex(of: "]") else { return nil }
            let host = address[address.index(after: address.startIndex)..<end]
            let isAddress =
                host.contains(":") && host.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
            guard isAddress, isPort(address[address.index(after: end)...]) else { return nil }
            return (String(host), isSecure)
        }
        let host = address.prefix { $0 != ":" }
        let isHost =
            !host.isEmpty
            && host.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                    UInt8(ascii: "."):
                    true
                default: false
                }
            }
        guard isHost, isPort(address[host.endIndex...]) else { return nil }
        return (String(host), isSecure)
    }

    /// Whether the text is empty, or a colon with a port.
    private static func isPort(_ text: Substring) -> Bool {
        if text.isEmpty { return true }
        let digits = text.dropFirst()
        guard text.first == ":", digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return false }
        return 1...65_535 ~= Int(digits) ?? 0
    }
}
