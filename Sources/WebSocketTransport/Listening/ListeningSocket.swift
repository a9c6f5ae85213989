import CLWS
import Glibc

/// A listening socket. The sockets that this type opens, except by `openExclusive`, have
/// SO_REUSEPORT. Each of several loops can therefore own a socket on the same port, and the kernel
/// distributes the connections. A socket that was passed to the process is shared by all loops. As
/// long as no loop has taken ownership of a socket, the caller must close it.
package struct ListeningSocket: Hashable, Sendable {
    /// The numeric address to which the socket is bound, without the port and without brackets.
    package let address: String
    /// The port to which the socket is bound; never 0.
    package let port: UInt16
    /// Whether the socket is reachable only from this machine.
    package let isLoopback: Bool
    /// Whether connections accepted here must use TLS.
    package var speaksTLS = false
    /// Whether its connections may use the descriptors above `LoopConfiguration.clientFilesMax`.
    package var hasReserve = false
    /// Whether other loops accept from the same queue of connections.
    package private(set) var isShared = false
    /// The file descriptor.
    package let descriptor: Int32

    /// Opens one socket on `host`, an IPv4 or IPv6 literal. An IPv6 socket accepts no IPv4
    /// connections. With port 0 the system chooses a port. Another process of the same user may
    /// share the port unnoticed; `openGroup` prevents that.
    package static func open(host: String, port: UInt16) throws(TransportError) -> ListeningSocket {
        try open(host: host, port: port, sharing: true)
    }

    /// Opens the only socket on its port. The system refuses the port to every other process, even
    /// to a process of the same user that permits sharing. Throws `listenFailed` if the port is
    /// already in use.
    package static func openExclusive(
        host: String, port: UInt16
    ) throws(TransportError) -> ListeningSocket {
        try open(host: host, port: port, sharing: false)
    }

    private static func open(
        host: String, port: UInt16, sharing: Bool
    ) throws(TransportError) -> ListeningSocket {
        guard let address = SocketAddress(literal: host, port: port) else {
            throw .addressInvalid(host: host)
        }
        let descriptor = try bound(to: address, sharing: sharing)
        guard listen(descriptor, 4_096) == 0 else {
            throw failure(closing: descriptor, address, "listen")
        }
        guard let local = SocketAddress(localOf: descriptor) else {
            throw failure(closing: descriptor, address, "getsockname")
        }
        return ListeningSocket(
            address: local.host, port: local.port, isLoopback: local.isLoopback,
            descriptor: descriptor)
    }

    /// Opens `count` sockets on one address and port, one for each loop. Throws `listenFailed` if
    /// the port is already in use, even by another process of the same user.
    package static func openGroup(
        host: String, port: UInt16, count: Int
    ) throws(TransportError) -> [ListeningSocket] {
        if port != 0, let address = SocketAddress(literal: host, port: port) {
            // Binding without sharing fails if any other socket listens on this port, shared or
            // not.
            _ = Glibc.close(try bound(to: address, sharing: false))
        }
        var sockets: [ListeningSocket] = []
        do throws(TransportError) {
            while sockets.count < count {
                sockets.append(try open(host: host, port: sockets.first?.port ?? port))
            }
        } catch {
            for socket in sockets { socket.close() }
            throw error
        }
        return sockets
    }

    /// Wraps a listening socket that was opened elsewhere. The socket becomes non-blocking, and
    /// child processes do not inherit it. Throws `socketUnusable` if the descriptor is not a
    /// listening TCP socket.
    package static func inherited(_ descriptor: Int32) throws(TransportError) -> ListeningSocket {
        func unusable(_ reason: String) -> TransportError {
            .socketUnusable(descriptor: descriptor, reason: reason)
        }
        guard fcntl(descriptor, F_GETFD) >= 0 else { throw unusable("it is not open") }
        guard option(descriptor, SO_TYPE) == SocketAddress.streamKind,
            option(descriptor, SO_ACCEPTCONN) == 1, let local = SocketAddress(localOf: descriptor),
            local.family == AF_INET || local.family == AF_INET6
        else { throw unusable("it is not a listening TCP socket") }
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0,
            fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0
        else { throw unusable("fcntl failed") }
        var socket = ListeningSocket(
            address: local.host, port: local.port, isLoopback: local.isLoopback,
            descriptor: descriptor)
        socket.isShared = true
        return socket
    }

    /// Wraps a listening socket for `count` loops. Each loop gets its own descriptor for the same
    /// queue, and the original descriptor is closed.
    package static func inheritedGroup(
        _ descriptor: Int32, count: Int
    ) throws(TransportError) -> [ListeningSocket] {
        let socket = try inherited(descriptor)
        defer { socket.close() }
        var sockets: [ListeningSocket] = []
        while sockets.count < count {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else {
                for socket in sockets { socket.close() }
                throw .socketUnusable(descriptor: descriptor, reason: "it cannot be duplicated")
            }
            var own = ListeningSocket(
                address: socket.address, port: socket.port, isLoopback: socket.isLoopback,
                descriptor: copy)
            own.isShared = count > 1
            sockets.append(own)
        }
        return sockets
    }

    private static func option(_ descriptor: Int32, _ name: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        let result = unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &length)
        return result == 0 ? value : nil
    }

    /// Stops listening. Must not be called after a loop has taken ownership.
    package func close() {
        _ = Glibc.close(descriptor)
    }

    private static func bound(
        to address: SocketAddress, sharing: Bool
    ) throws(TransportError) -> Int32 {
        let descriptor = socket(
            address.family,
            Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw failure(closing: nil, address, "socket") }
        var isSet = setFlag(descriptor, SOL_SOCKET, SO_REUSEADDR)
        if sharing { isSet = isSet && setFlag(descriptor, SOL_SOCKET, SO_REUSEPORT) }
        if address.family == AF_INET6 {
            isSet = isSet && setFlag(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY)
        }
        guard isSet else { throw failure(closing: descriptor, address, "setsockopt") }
        let result = unsafe address.withPointer { unsafe bind(descriptor, $0, $1) }
        guard result == 0 else { throw failure(closing: descriptor, address, "bind") }
        return descriptor
    }

    /// Sets a boolean socket option. Returns false if the kernel refuses.
    static func setFlag(_ descriptor: Int32, _ level: Int32, _ option: Int32) -> Bool {
        var one: Int32 = 1
        return unsafe setsockopt(
            descriptor, level, option, &one, socklen_t(MemoryLayout<Int32>.size)) == 0
    }

    private static func failure(
        closing descriptor: Int32?, _ address: SocketAddress, _ step: String
    ) -> TransportError {
        let code = errno
        if let descriptor { _ = Glibc.close(descriptor) }
        let host = address.family == AF_INET6 ? "[\(address.host)]" : address.host
        let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return .listenFailed(
            address: "\(host):\(address.port)", step: step, errno: code, reason: reason)
    }
}
