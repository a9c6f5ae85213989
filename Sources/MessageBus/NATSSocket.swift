internal import CNATS
internal import Glibc

/// A second descriptor of the socket of a link, which is closed when the last reference to this
/// object is released.
///
/// libnats closes its own descriptor as soon as it has noticed the end of the connection. Its
/// number may then belong to another file. This one can be polled and shut down at any time.
final class NATSSocket: Sendable {
    let descriptor: Int32

    /// The time for which the peer may accept nothing before the system ends the connection, in
    /// milliseconds. libnats and `NATSLiveness` have shorter limits, but libnats measures its own
    /// by the clock of the day, which can be set back while a thread waits to write.
    private static let stallMaxMs: UInt32 = 15_000

    /// Returns nil if the system refuses a descriptor.
    init?(_ original: Int32) {
        descriptor = fcntl(original, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        var stallMaxMs = Self.stallMaxMs
        // A socket of another kind has no such limit.
        _ = unsafe setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &stallMaxMs,
            socklen_t(MemoryLayout<UInt32>.size))
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Ends the connection of the socket. Threads that wait for the socket then continue, those in
    /// libnats too. To close a descriptor would not wake them.
    func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// The bytes that were received and have not been read.
    var unreadBytes: Int { count(UInt(FIONREAD)) }

    var traffic: NATSLiveness.Traffic {
        var info = [UInt64](repeating: 0, count: Self.infoBytes / MemoryLayout<UInt64>.size)
        var length = socklen_t(Self.infoBytes)
        _ = unsafe getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &length)
        return NATSLiveness.Traffic(
            acknowledged: info[Self.acknowledgedIndex], waiting: UInt64(count(UInt(TIOCOUTQ))),
            received: info[Self.acknowledgedIndex + 1])
    }

    /// The kernel's `struct tcp_info` up to `tcpi_bytes_acked` and `tcpi_bytes_received`, which the
    /// header of glibc does not have: 104 bytes, and numbers of 64 bits from there on. The first
    /// two are rates.
    private static let infoBytes = 136
    private static let acknowledgedIndex = 15

    private func count(_ request: UInt) -> Int {
        var count: Int32 = 0
        return unsafe ioctl(descriptor, request, &count) == 0 ? Int(max(0, count)) : 0
    }
}
