package import RefreshConfiguration

/// A bound listener: its address, and the port that was assigned.
package struct BoundListener: Hashable, Sendable {
    package let address: IPAddress
    /// Never 0.
    package let port: UInt16
    /// Whether it serves operators only, and no sessions.
    package let isAdmin: Bool
    /// Whether it uses TLS.
    package let isEncrypted: Bool

    package init(
        address: IPAddress, port: UInt16, isAdmin: Bool = false, isEncrypted: Bool = false
    ) {
        self.address = address
        self.port = port
        self.isAdmin = isAdmin
        self.isEncrypted = isEncrypted
    }

    /// Returns whether a connection to `address` arrives at this listener.
    func accepts(at address: IPAddress) -> Bool {
        self.address == address
            || (self.address.isUnspecified && self.address.isIPv6 == address.isIPv6)
    }

    /// The address and port as URLs and logs contain them: `127.0.0.1:8080`, `[::1]:8080`.
    package var authority: String {
        address.isIPv6 ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}
