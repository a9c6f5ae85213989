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
        // If no sockets were passed, the configured addresses apply.
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
    /// Returns whether the address of a passed socket matches. Port 0 matches any port.
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
