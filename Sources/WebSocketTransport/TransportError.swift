internal import Glibc

/// Why the transport could not be set up; nothing a peer does ends here.
package enum TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The libuv event library of libwebsockets is not installed. Without it every message costs
    /// time in proportion to the open connections, so there is no fallback.
    case eventLibraryMissing(detail: String)
    /// libwebsockets refused to make a loop or one of its parts.
    case loopFailed(part: String, detail: String)
    /// The host is not an IPv4 or IPv6 literal.
    case addressInvalid(host: String)
    /// The operating system refused a step of opening a listening socket.
    case listenFailed(address: String, step: String, errno: Int32, reason: String)
    /// A descriptor that was given to listen on is none to listen on.
    case socketUnusable(descriptor: Int32, reason: String)
    /// A value of the loop's configuration is out of its range.
    case configurationInvalid(name: String, reason: String)

    /// Whether somebody else listens there.
    package var isAddressInUse: Bool {
        if case .listenFailed(_, _, EADDRINUSE, _) = self { true } else { false }
    }

    /// One sentence for an operator, with what to do.
    package var description: String {
        switch self {
        case .eventLibraryMissing(let detail):
            "The libuv event library of libwebsockets could not be loaded; "
                + "install libwebsockets-evlib-uv. \(detail)"
        case .loopFailed(let part, let detail):
            "libwebsockets could not make its \(part). \(detail)"
        case .addressInvalid(let host):
            "\"\(host)\" is not an IPv4 or IPv6 address."
        case .listenFailed(let address, let step, let errno, let reason):
            "Cannot listen on \(address): "
                + (Self.remedy(errno) ?? "\(step) failed: \(reason)") + "."
        case .socketUnusable(let descriptor, let reason):
            "Cannot listen on the file descriptor \(descriptor) that was given: \(reason)."
        case .configurationInvalid(let name, let reason):
            "\(name) \(reason)."
        }
    }

    /// What is wrong with an address, and what its operator can do.
    private static func remedy(_ errno: Int32) -> String? {
        switch errno {
        case EADDRINUSE:
            "the address is in use; end the program that listens there, or choose another port"
        case EADDRNOTAVAIL:
            "it is no address of this machine; choose one that `ip address` shows"
        case EACCES:
            "this user may not listen there; choose a port from 1024 on, or give the program "
                + "CAP_NET_BIND_SERVICE"
        default: nil
        }
    }
}
