/// An address and a port to accept connections on.
package struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// The part of the address before the port.
    package enum Host: Hashable, Sendable {
        /// 127.0.0.1 and ::1, with the same port.
        case localhost
        case address(IPAddress)
    }

    package let host: Host
    /// The port; 0 if the system chooses one.
    package let port: UInt16

    package init(host: Host, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// 127.0.0.1:8080.
    package static let standard = ListenAddress(
        host: IPAddress("127.0.0.1").map(Host.address) ?? .localhost, port: 8080)

    /// The reason why a text is not a listen address.
    package struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String
    }

    /// Parses `ADDRESS:PORT`, `[IPV6]:PORT` or `localhost:PORT`.
    package init(_ text: String) throws(Malformed) {
        guard let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") else {
            throw Malformed(description: "`\(text)` has no port; write ADDRESS:PORT")
        }
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit), let port = UInt16(digits) else {
            throw Malformed(description: "`\(digits)` is not a port; 0 to 65535")
        }
        self.init(host: try Self.host(String(text[..<colon])), port: port)
    }

    private static func host(_ text: String) throws(Malformed) -> Host {
        if text.isEmpty {
            throw Malformed(
                description: "the address is missing; 0.0.0.0 and [::] mean all addresses")
        }
        if text.lowercased() == "localhost" { return .localhost }
        if text.hasPrefix("["), text.hasSuffix("]") {
            guard let address = IPAddress(String(text.dropFirst().dropLast())), address.isIPv6
            else { throw Malformed(description: "`\(text)` is not an IPv6 address") }
            return .address(address)
        }
        guard let address = IPAddress(text) else {
            throw Malformed(
                description: "`\(text)` is not an IP address; the only accepted name is localhost")
        }
        if address.isIPv6 {
            throw Malformed(description: "write an IPv6 address in brackets: [\(text)]")
        }
        return .address(address)
    }

    /// Whether only this machine can reach the address.
    package var isLoopback: Bool {
        switch host {
        case .localhost: true
        case .address(let address): address.isLoopback
        }
    }

    /// The address literals to bind. Messages show the first literal.
    package var literals: [String] {
        switch host {
        case .localhost: ["127.0.0.1", "::1"]
        case .address(let address): [address.description]
        }
    }

    /// Returns whether the two addresses cannot be bound at the same time. They overlap if their
    /// ports are equal, and their IP addresses are equal too. They also overlap if one IP address
    /// is the unspecified address of the same IP version. Port 0 never overlaps.
    func overlaps(_ other: ListenAddress) -> Bool {
        guard port != 0, port == other.port else { return false }
        return addresses.contains { mine in
            other.addresses.contains { theirs in
                mine == theirs
                    || (mine.isIPv6 == theirs.isIPv6
                        && (mine.isUnspecified || theirs.isUnspecified))
            }
        }
    }

    private var addresses: [IPAddress] { literals.compactMap { IPAddress($0) } }

    package var description: String {
        switch host {
        case .localhost: "localhost:\(port)"
        case .address(let address):
            address.isIPv6 ? "[\(address)]:\(port)" : "\(address):\(port)"
        }
    }
}

extension Character {
    /// Whether the character is 0 to 9. `isNumber` accepts more characters.
    var isASCIIDigit: Bool { "0" <= self && self <= "9" && isASCII }
}
