internal import Glibc
internal import WebSocketTransport

/// Where a driver connects. Every wait has an end.
final class DriverListener: Sendable {
    private let descriptor: Int32
    /// As `host:port`, for the driver.
    let address: String

    /// `host`: a numeric address; port 0 is one that is free.
    /// - Throws: when nobody can listen there.
    init(host: String, port: UInt16) throws(TransportError) {
        let place = (host.contains(":") ? "[\(host)]" : host)
        func refused(_ step: String) -> TransportError {
            let code = errno
            let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
            return .listenFailed(
                address: "\(place):\(port)", step: step, errno: code, reason: reason)
        }
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST
        var found: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, String(port), &hints, &found) == 0, let first = unsafe found
        else { throw .addressInvalid(host: host) }
        defer { unsafe freeaddrinfo(first) }
        let made = unsafe socket(
            first.pointee.ai_family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard made >= 0 else { throw refused("socket") }
        var one: Int32 = 1
        _ = unsafe setsockopt(
            made, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        guard unsafe bind(made, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0,
            listen(made, 1) == 0, let port = Self.port(of: made)
        else {
            let failure = refused("bind")
            Glibc.close(made)
            throw failure
        }
        descriptor = made
        address = "\(place):\(port)"
    }

    deinit { Glibc.close(descriptor) }

    /// The next driver that comes; nil when none did in that time.
    func accept(withinMs: Int) -> RawSocket? {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wait, 1, Int32(clamping: withinMs)) > 0 else { return nil }
        let made = Glibc.accept(descriptor, nil, nil)
        guard made >= 0 else { return nil }
        _ = fcntl(made, F_SETFD, FD_CLOEXEC)
        return RawSocket(accepted: made)
    }

    private static func port(of socket: Int32) -> UInt16? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isNamed = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(socket, $0, &length) == 0
            }
        }
        guard isNamed else { return nil }
        // The port stands at the same place for both families.
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                unsafe UInt16(bigEndian: $0.pointee.sin_port)
            }
        }
    }
}
