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
        let socket = try ListeningSocket.openAlone(host: host, port: port)
        descriptor = socket.descriptor
        address = (host.contains(":") ? "[\(host)]" : host) + ":\(socket.port)"
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
}
