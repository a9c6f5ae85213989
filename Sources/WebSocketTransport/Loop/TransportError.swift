internal import Glibc

/// The reason why the transport could not be set up. Peers' actions never cause these errors.
package enum TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The libuv event library of libwebsockets is not installed. There is no fallback, because
    /// without this library the cost of every message is proportional to the number of open
    /// connections.
    case eventLibraryMissing(detail: String)
    /// libwebsockets could not create a loop or one of its parts.
    case loopFailed(part: String, detail: String)
    /// The host is not an IPv4 or IPv6 literal.
    case addressInvalid(host: String)
    /// The operating system refused a step of opening a listening socket.
    case listenFailed(address: String, step: String, errno: Int32, reason: String)
    /// A descriptor passed for listening is not a listening socket.
    case socketUnusable(descriptor: Int32, reason: String)
    /// A value of the loop's configuration is out of its range.
    case configurationInvalid(name: String, reason: String)

    /// Whether the address is already in use.
    package var isAddressInUse: Bool {
        if case .listenFailed(_, _, EADDRINUSE, _) = self { true } else { false }
    }

    /// One sentence for the operator, with a remedy.
    package var description: String {
        switch self {
        case .eventLibraryMissing(let detail):
            "The libuv event library of libwebsockets could not be loaded; "
                + "install libwebsockets-evlib-uv. \(detail)"
        case .loopFailed(let part, let detail):
            "libwebsockets could not create its \(part). \(detail)"
        case .addressInvalid(let host):
            "\"\(host)\" is not an IPv4 or IPv6 address."
        case .listenFailed(let address, let step, let errno, let reason):
            "Cannot listen on \(address): "
                + (Self.remedy(errno) ?? "\(step) failed: \(reason)") + "."
        case .socketUnusable(let descriptor, let reason):
            "Cannot listen on the passed file descriptor \(descriptor): \(reason)."
        case .configurationInvalid(let name, let reason):
            "\(name) \(reason)."
        }
    }

    /// Returns the problem with the address, and a remedy.
    private static func remedy(_ errno: Int32) -> String? {
        switch errno {
        case EADDRINUSE:
            "the address is in use; end the program that listens there, or choose another port"
        case EADDRNOTAVAIL:
            "it is not an address of this machine; choose one that `ip address` shows"
        case EACCES:
            "this user may not listen there; choose port 1024 or above, or give the program "
                + "CAP_NET_BIND_SERVICE"
        default: nil
        }
    }
}
