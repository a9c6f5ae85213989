/// Who is connected at one moment, and what room the process takes.
package struct ConnectionCensus: Hashable, Sendable {
    /// Connections that count, those that have not asked for anything yet among them.
    package var connections = 0
    /// Addresses that they are from; an IPv6 address counts by its network of 64 bits.
    package var networks = 0
    /// Connections of the address that has most.
    package var busiestNetwork = 0
    /// Connections to `admin` listeners, which are none of those.
    package var admin = 0
    /// Resident bytes of the process; 0 when that cannot be told.
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
