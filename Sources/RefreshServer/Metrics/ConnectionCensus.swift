/// The connections at one moment, and the memory of the process.
package struct ConnectionCensus: Hashable, Sendable {
    /// The connections that count against `connectionsMax`, including those that have not sent a
    /// request.
    package var connections = 0
    /// The number of different client addresses of `connections`. All IPv6 addresses with the same
    /// first 64 bits count as one address.
    package var networks = 0
    /// The number of connections of the address that has the most connections.
    package var busiestNetwork = 0
    /// The number of connections to `admin` listeners. They are not included in `connections`.
    package var admin = 0
    /// Resident bytes of the process; 0 if unknown.
    package var residentBytes = 0

    package init(
        connections: Int = 0, networks: Int = 0, busiestNetwork: Int = 0, admin: Int = 0,
        residentBytes: Int = 0
    ) {
        self.connections = connections
        self.networks = networks
        self.busiestNetwork = busiestNetwork
        self.admin = admin
        self.residentBytes = residentBytes
    }
}
