import CLWS
import Glibc

/// An IPv4 or IPv6 address with a port, in the kernel's form.
struct SocketAddress {
    /// The type of all sockets, for `socket()`.
    static let streamKind = Int32(SOCK_STREAM.rawValue)

    private var storage = sockaddr_storage()
    private var length = socklen_t(0)

    /// Parses a literal such as `127.0.0.1`, `::1` or `fe80::1%eth0`. Returns nil for anything
    /// else, including names.
    init?(literal: String, port: UInt16) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        unsafe hints.ai_socktype = Self.streamKind
        var found: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(literal, String(port), &hints, &found) == 0,
            let first = unsafe found, let address = unsafe first.pointee.ai_addr
        else { return nil }
        defer { unsafe freeaddrinfo(first) }
        length = unsafe first.pointee.ai_addrlen
        guard Int(length) <= MemoryLayout<sockaddr_storage>.size else { return nil }
        unsafe withUnsafeMutableBytes(of: &storage) { bytes in
            unsafe bytes.copyMemory(
                from: UnsafeRawBufferPointer(start: address, count: Int(length)))
        }
    }

    /// The local address of a socket.
    init?(localOf descriptor: Int32) {
        unsafe self.init { unsafe getsockname(descriptor, $0, $1) }
    }

    /// The peer address of a socket.
    init?(peerOf descriptor: Int32) {
        unsafe self.init { unsafe getpeername(descriptor, $0, $1) }
    }

    private init?(
        filledBy ask: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) {
        length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe ask(address, &length)
            }
        }
        guard result == 0 else { return nil }
    }

    /// AF_INET or AF_INET6.
    var family: Int32 { Int32(storage.ss_family) }

    /// The numeric form of the address, without the port; empty if the kernel provides no address.
    /// The address of an IPv4 peer of a dual-stack socket is in IPv4 form.
    var host: String {
        let host = name().host
        return host.hasPrefix("::ffff:") && host.contains(".") ? String(host.dropFirst(7)) : host
    }

    /// The port, in the host's byte order.
    var port: UInt16 { UInt16(name().service) ?? 0 }

    /// Whether the address is reachable only from this machine.
    var isLoopback: Bool {
        let host = host
        return host == "::1" || (!host.contains(":") && host.hasPrefix("127."))
    }

    /// Calls `body` with the form that socket calls require.
    func withPointer<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        unsafe withUnsafePointer(to: storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe body(address, length)
            }
        }
    }

    private func name() -> (host: String, service: String) {
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var service = [CChar](repeating: 0, count: 32)
        let result = unsafe withPointer { address, length in
            unsafe getnameinfo(
                address, length, &host, socklen_t(host.count), &service, socklen_t(service.count),
                NI_NUMERICHOST | NI_NUMERICSERV)
        }
        guard result == 0 else { return ("", "") }
        return (Self.text(host), Self.text(service))
    }

    private static func text(_ characters: [CChar]) -> String {
        String(
            decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
