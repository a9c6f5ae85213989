internal import CNATS
internal import Glibc

/// Keeps libnats from reading a socket that does not hold a whole TLS record.
///
/// Over TLS, libnats waits for the rest of a record, however long that takes. The server may fall
/// silent in the middle of a record (RFC 8446, 5.1). Without TLS, libnats returns when the socket
/// is empty.
struct TLSRecordGate {
    /// Nil until the first byte has been received. A server may require TLS that the options do not
    /// mention. The first byte of a record is its type, 20 to 23. The first byte of a message of
    /// NATS is a printable character.
    private var isSecure: Bool?
    /// The number of bytes from which on the system reports the socket as readable.
    private var awaitedBytes: Int32 = 1

    private static let headerBytes = 5
    /// The maximum of a record with its header. A larger one is an error, which libnats reports.
    private static let recordBytesMax = 5 + 16_384 + 256

    /// The peer has ended its direction of the connection. (glibc declares `POLLRDHUP` under
    /// `_GNU_SOURCE` only.)
    static let hangUp: Int16 = 0x2000

    /// Whether libnats may read without waiting. `ready` are the results of `poll`. If not, `poll`
    /// reports the socket when the record is complete, or when no more bytes can come.
    mutating func mayRead(_ socket: NATSSocket, _ ready: Int16) -> Bool {
        guard isSecure != false else { return true }
        if ready & ~Int16(POLLIN | POLLOUT) != 0 { return read(socket) }
        var header = [UInt8](repeating: 0, count: Self.headerBytes)
        let count = unsafe recv(
            socket.descriptor, &header, header.count, Int32(MSG_PEEK | MSG_DONTWAIT))
        if count < 0 { return errno != EAGAIN && errno != EINTR }
        guard count > 0 else { return read(socket) }
        isSecure = isSecure ?? (20...23).contains(header[0])
        guard isSecure == true else { return true }
        let needed =
            count < header.count
            ? header.count : header.count + Int(header[3]) << 8 + Int(header[4])
        // If less memory is left than the record needs, the system reports the socket nevertheless.
        if needed > Self.recordBytesMax || socket.unreadBytes >= needed
            || awaitedBytes == Int32(needed)
        {
            return read(socket)
        }
        wait(for: Int32(needed), socket)
        return false
    }

    /// Whether the socket takes bytes. Over TLS, libnats waits until it has taken all of them.
    func mayWrite(_ socket: NATSSocket) -> Bool {
        guard isSecure != false else { return true }
        var polled = pollfd(fd: socket.descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&polled, 1, 0) != 0
    }

    private mutating func read(_ socket: NATSSocket) -> Bool {
        wait(for: 1, socket)
        return true
    }

    private mutating func wait(for count: Int32, _ socket: NATSSocket) {
        guard count != awaitedBytes else { return }
        awaitedBytes = count
        var bytes = count
        _ = unsafe setsockopt(
            socket.descriptor, SOL_SOCKET, SO_RCVLOWAT, &bytes,
            socklen_t(MemoryLayout<Int32>.size))
    }
}
