internal import Glibc
internal import WebSocketTransport

/// The socket to which a driver connects. All waits have a timeout.
final class DriverListener: Sendable {
    private let descriptor: Int32
    /// The address as `host:port`, for the driver.
    let address: String

    /// Listens at a numeric address. Port 0 selects a free port.
    ///
    /// - Throws: if the address cannot be used.
    init(host: String, port: UInt16) throws(TransportError) {
        let socket = try ListeningSocket.openExclusive(host: host, port: port)
        descriptor = socket.descriptor
        address = (host.contains(":") ? "[\(host)]" : host) + ":\(socket.port)"
    }

    deinit { Glibc.close(descriptor) }

    /// Returns the next driver that connects. Nil if none connects in time.
    func accept(withinMs: Int) -> RawSocket? {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wait, 1, Int32(clamping: withinMs)) > 0 else { return nil }
        let made = Glibc.accept(descriptor, nil, nil)
        guard made >= 0 else { return nil }
        _ = fcntl(made, F_SETFD, FD_CLOEXEC)
        return RawSocket(accepted: made)
    }
}
