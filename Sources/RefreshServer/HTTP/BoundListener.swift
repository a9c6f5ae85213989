/// A listener that stands: its address, and the port that was chosen.
package struct BoundListener: Hashable, Sendable {
    package let address: IPAddress
    /// Never 0.
    package let port: UInt16
    /// Whether an operator asks there, and no session is served.
    package let isAdmin: Bool
    /// Whether TLS is spoken there.
    package let isEncrypted: Bool

    package init(
        address: IPAddress, port: UInt16, isAdmin: Bool = false, isEncrypted: Bool = false
    ) {
        self.address = address
        self.port = port
        self.isAdmin = isAdmin
        self.isEncrypted = isEncrypted
    }

    /// Whether a connection to `address` comes in here.
    func accepts(at address: IPAddress) -> Bool {
        self.address == address
            || (self.address.isUnspecified && self.address.isIPv6 == address.isIPv6)
    }

    /// As in a URL and in logs: `127.0.0.1:8080`, `[::1]:8080`.
    package var authority: String {
        address.isIPv6 ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}
