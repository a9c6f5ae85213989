internal import Glibc
internal import RefreshConfiguration
internal import WebSocketTransport

/// The listening sockets of the daemon, one for each address and loop.
struct ListenerGroup {
    /// The listeners for sessions and then those for admin requests. In each part they have the
    /// order of the configuration, or that of the sockets from the service manager.
    private(set) var bound: [BoundListener] = []
    /// The sockets. The first index is that of the listener, and the second is that of the loop.
    private var sockets: [[ListeningSocket]] = []
    /// The `localhost` listeners for which only one of the two loopback addresses could be bound.
    private(set) var halves: [BoundListener] = []
    /// The number of loops that accept connections from the sockets.
    let loops: Int
    /// Whether sessions are served over TLS. Admin listeners never use TLS.
    private let speaksTLS: Bool
    /// Whether the listeners that are opened now are admin listeners.
    private var isAdmin = false

    /// The number of attempts to find a port that is free on both loopback addresses.
    private static let portAttempts = 16

    /// Opens all listeners or none. Sockets that the service manager passed to the daemon
    /// (`activation`) are used instead of new ones.
    init(
        _ addresses: [ListenAddress], admin: [ListenAddress] = [],
        activation: SocketActivation? = nil, speaksTLS: Bool = false, loops: Int
    ) throws(TransportError) {
        self.loops = loops
        self.speaksTLS = speaksTLS
        do throws(TransportError) {
            try open(addresses, or: activation?.listeners ?? [])
            isAdmin = true
            try open(admin, or: activation?.adminListeners ?? [])
        } catch {
            close()
            throw error
        }
    }

    /// The sockets that loop `index` accepts from.
    func sockets(ofLoop index: Int) -> [ListeningSocket] { sockets.map { $0[index] } }

    /// Closes all sockets. Call this method only before a loop owns the sockets.
    func close() {
        for socket in sockets.joined() { socket.close() }
    }

    /// Closes the sockets of the loops that were not created, from loop `index` on.
    func close(fromLoop index: Int) {
        for group in sockets { for socket in group[index...] { socket.close() } }
    }

    private mutating func open(
        _ addresses: [ListenAddress], or given: [SocketActivation.Socket]
    ) throws(TransportError) {
        guard given.isEmpty else {
            for socket in given {
                add(try ListeningSocket.inheritedGroup(socket.descriptor, count: loops))
            }
            return
        }
        for address in addresses { try open(address) }
    }

    private mutating func open(_ address: ListenAddress) throws(TransportError) {
        switch address.host {
        case .localhost: try openLocalhost(port: address.port)
        case .address(let literal):
            add(try open(literal.description, port: address.port))
        }
    }

    private func open(_ host: String, port: UInt16) throws(TransportError) -> [ListeningSocket] {
        try ListeningSocket.openGroup(host: host, port: port, count: loops)
    }

    private mutating func add(_ group: [ListeningSocket]) {
        guard let first = group.first, let address = IPAddress(first.address) else { return }
        let isEncrypted = speaksTLS && !isAdmin
        bound.append(
            BoundListener(
                address: address, port: first.port, isAdmin: isAdmin, isEncrypted: isEncrypted))
        sockets.append(
            group.map { socket in
                var socket = socket
                socket.speaksTLS = isEncrypted
                socket.hasReserve = isAdmin
                return socket
            })
    }

    /// Opens both loopback addresses with one port. If the machine lacks one of the addresses, only
    /// the other is opened.
    private mutating func openLocalhost(port: UInt16) throws(TransportError) {
        for attempt in 1...Self.portAttempts {
            let old: [ListeningSocket]
            do throws(TransportError) {
                old = try open("127.0.0.1", port: port)
            } catch {
                guard Self.isAbsent(error) else { throw error }
                add(try open("::1", port: port))
                if let half = bound.last { halves.append(half) }
                return
            }
            do throws(TransportError) {
                let new = try open("::1", port: old.first?.port ?? port)
                add(old)
                add(new)
                return
            } catch {
                if Self.isAbsent(error) {
                    add(old)
                    if let half = bound.last { halves.append(half) }
                    return
                }
                for socket in old { socket.close() }
                // The port could be opened on 127.0.0.1, but not on ::1. Another port is tried only
                // if the system chooses the port.
                guard port == 0, attempt < Self.portAttempts else { throw error }
            }
        }
    }

    /// Whether an error means that this machine does not have the address.
    private static func isAbsent(_ error: TransportError) -> Bool {
        guard case .listenFailed(_, _, let code, _) = error else { return false }
        return code == EADDRNOTAVAIL || code == EAFNOSUPPORT
    }
}
