internal import Glibc
internal import WebSocketTransport

/// The listening sockets that the service manager opened for the daemon. The service manager keeps
/// them open while the daemon restarts. Source: sd_listen_fds(3); docs/operations.md, "systemd".
package struct SocketActivation: Hashable, Sendable {
    /// A socket and its address.
    package struct Socket: Hashable, Sendable {
        package let address: ListenAddress
        /// The file descriptor.
        package let descriptor: Int32
    }

    /// The sockets for clients. If there are any, they replace `listen`.
    package let listeners: [Socket]
    /// The sockets with the name `admin`. If there are any, they replace the key `admin`.
    package let adminListeners: [Socket]

    /// The number of the first passed descriptor.
    private static let firstDescriptor: Int32 = 3
    private static let socketsMax = 256
    private static let names = (
        process: "LISTEN_PID", count: "LISTEN_FDS", names: "LISTEN_FDNAMES"
    )

    /// Returns the sockets that were passed to this process; nil if there are none. The environment
    /// variables are removed, so that the processes of backends do not inherit them. A second call
    /// therefore returns nil.
    ///
    /// - Throws: If the variables are invalid, or the daemon cannot use a passed socket.
    package static func consumeEnvironment() throws(ConfigurationError) -> SocketActivation? {
        defer {
            for name in [names.process, names.count, names.names] { unsafe unsetenv(name) }
        }
        return try read(
            process: variable(names.process), count: variable(names.count),
            names: variable(names.names))
    }

    private static func read(
        process: String?, count: String?, names: String?
    ) throws(ConfigurationError) -> SocketActivation? {
        // Variables that were meant for another process are ignored.
        guard let process, let count, Int32(process) == getpid() else { return nil }
        guard let count = Int(count), (0...socketsMax).contains(count) else {
            throw ConfigurationError("\(self.names.count): `\(count)` is not 0 to \(socketsMax)")
        }
        guard count > 0 else { return nil }
        let names = names?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        var listeners: [Socket] = []
        var adminListeners: [Socket] = []
        for index in 0..<count {
            let isAdmin = index < names.count && names[index] == "admin"
            let socket = try socket(firstDescriptor + Int32(index))
            if isAdmin, !socket.address.isLoopback {
                throw ConfigurationError(
                    "admin: the passed socket listens on \(socket.address), which can be reached "
                        + "from other machines")
            }
            if isAdmin { adminListeners.append(socket) } else { listeners.append(socket) }
        }
        return SocketActivation(listeners: listeners, adminListeners: adminListeners)
    }

    private static func socket(_ descriptor: Int32) throws(ConfigurationError) -> Socket {
        do throws(TransportError) {
            let given = try ListeningSocket.inherited(descriptor)
            guard let address = IPAddress(given.address) else {
                throw .socketUnusable(descriptor: descriptor, reason: "it has no address")
            }
            return Socket(
                address: ListenAddress(host: .address(address), port: given.port),
                descriptor: descriptor)
        } catch {
            throw ConfigurationError(error.description)
        }
    }

    private static func variable(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}

/// Notes for the operator about the sockets that were passed to the daemon in place of `listen` and
/// `admin`. None of them is an error. Source: docs/configuration.md, "Looking at it".
struct ActivationNotes {
    private(set) var texts: [String] = []

    /// `listeners` and `admin` are the listeners that would apply without these sockets.
    init(
        _ activation: SocketActivation, listeners: [ListenAddress], admin: [ListenAddress]
    ) {
        compare(activation.listeners, with: listeners, key: "listen")
        compare(activation.adminListeners, with: admin, key: "admin")
    }

    private mutating func compare(
        _ given: [SocketActivation.Socket], with named: [ListenAddress], key: String
    ) {
        // If no sockets were passed for `key`, the configured addresses apply.
        if given.isEmpty { return }
        for socket in given where !named.contains(where: { $0.matches(socket.address) }) {
            texts.append(
                "\(key): a passed socket on \(socket.address) is served, but not listed here"
            )
        }
        for address in named where !given.contains(where: { address.matches($0.address) }) {
            texts.append(
                "\(key): \(address) is not opened, because sockets were passed and it is none "
                    + "of them")
        }
    }
}

extension ListenAddress {
    /// Returns whether the address of a passed socket matches this configured address. The
    /// configured port 0 matches any port.
    fileprivate func matches(_ socket: ListenAddress) -> Bool {
        guard port == 0 || port == socket.port, case .address(let there) = socket.host else {
            return false
        }
        return switch host {
        case .localhost: there.isLoopback
        case .address(let here): here == there
        }
    }
}
