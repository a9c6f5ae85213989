/// The value of a `Host` header: a name or address, with an optional port (RFC 9110, 7.2).
package struct HostAndPort: Hashable, Sendable {
    /// The host in lower case; an IPv6 address is in brackets.
    package let host: String
    package let port: UInt16?

    /// Parses `text`. Returns nil if the text does not have this form.
    package init?(_ text: String) {
        let lowered = text.lowercased()
        var host = lowered[...]
        var port: UInt16?
        let afterBrackets = lowered.lastIndex(of: "]") ?? lowered.startIndex
        if let colon = lowered[afterBrackets...].lastIndex(of: ":") {
            let digits = lowered[lowered.index(after: colon)...]
            guard digits.allSatisfy(\.isASCIIDigit), let number = UInt16(digits) else {
                return nil
            }
            port = number
            host = lowered[..<colon]
        }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        guard !host.isEmpty, isBracketed || !host.contains(where: { "[]:".contains($0) }) else {
            return nil
        }
        self.host = String(host)
        self.port = port
    }

    /// Whether the host always denotes the machine on which it is used: `localhost`, 127.0.0.0/8,
    /// ::1.
    package var isLoopbackName: Bool {
        if host == "localhost" { return true }
        if host.hasPrefix("[") {
            return IPAddress(String(host.dropFirst().dropLast()))?.isLoopback ?? false
        }
        return IPAddress(host)?.isLoopback ?? false
    }
}
