internal import Glibc

/// The service manager's end of `NOTIFY_SOCKET`.
package final class NotifySocket {
    /// Why the socket could not be created.
    package struct Refusal: Error {
        package let errno: Int32
    }

    private let descriptor: Int32
    package let name: String

    /// If `name` begins with `@`, the socket is abstract, without a file.
    package init(_ name: String) throws(Refusal) {
        self.name = name
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 } else { bytes.append(0) }
        let head = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let length = socklen_t(head + bytes.count)
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, length)
            }
        }
        guard status == 0 else { throw Refusal(errno: errno) }
        var timeout = timeval(tv_sec: 10, tv_usec: 0)
        unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout,
            socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
        if name.hasPrefix("/") { unsafe unlink(name) }
    }

    /// Returns the next datagram. Nil if none arrives within ten seconds.
    package func next() -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
    }
}
