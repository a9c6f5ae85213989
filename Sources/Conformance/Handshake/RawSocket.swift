import Glibc

/// A TCP connection that can send bytes which a WebSocket library would refuse to send. Sending
/// and reading have a timeout; opening the connection has none.
final class RawSocket {
    private let descriptor: Int32
    private var unread: [UInt8] = []
    /// Whether the peer has closed its side or reset the connection.
    private(set) var isClosedByPeer = false
    /// Whether the peer has rejected sent bytes. Bytes that the peer sent before the rejection may
    /// still wait to be read.
    private(set) var rejectsWrites = false

    /// Opens a connection. Nil if no server accepts it. `host` is a name or an address.
    init?(host: String, port: UInt16) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, String(port), &hints, &found) == 0 else { return nil }
        defer { unsafe freeaddrinfo(found) }
        var next = unsafe found
        while let address = unsafe next {
            let made = unsafe socket(
                address.pointee.ai_family,
                Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            if made >= 0,
                unsafe connect(made, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0
            {
                var one: Int32 = 1
                _ = unsafe setsockopt(
                    made, Int32(IPPROTO_TCP), TCP_NODELAY, &one,
                    socklen_t(MemoryLayout<Int32>.size))
                descriptor = made
                return
            }
            if made >= 0 { Glibc.close(made) }
            unsafe next = address.pointee.ai_next
        }
        return nil
    }

    /// Takes ownership of an accepted descriptor.
    init(accepted descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { Glibc.close(descriptor) }

    /// Sends bytes. Returns false if the peer has closed the connection, or has accepted no bytes
    /// for `withinMs` milliseconds.
    @discardableResult
    func send(_ bytes: [UInt8], withinMs: Int) -> Bool {
        var sent = 0
        while sent < bytes.count {
            guard isReady(Int16(POLLOUT), withinMs) else { return false }
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.send(
                    descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent,
                    Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count > 0 {
                sent += count
            } else if errno != EAGAIN, errno != EINTR {
                rejectsWrites = true
                return false
            }
        }
        return true
    }

    /// Closes the sending side. The peer then reads the end of the stream, and can still write.
    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Returns the next `count` bytes. Nil if they do not arrive in time or the peer has closed the
    /// connection.
    func read(_ count: Int, withinMs: Int) -> [UInt8]? {
        let end = Self.nowMs + withinMs
        while unread.count < count {
            guard !isClosedByPeer, receive(withinMs: end - Self.nowMs) else { return nil }
        }
        defer { unread.removeFirst(count) }
        return Array(unread.prefix(count))
    }

    /// Returns the received text up to and including the empty line that ends a head. Nil if this
    /// line does not arrive in time or in the first 65,536 bytes, or if the peer has closed the
    /// connection.
    func readHead(withinMs: Int) -> String? {
        read(through: Array("\r\n\r\n".utf8), bytesMax: 65_536, withinMs: withinMs)
    }

    /// Returns a line with its line feed. Nil if it does not arrive in time, if the peer has closed
    /// the connection, or if the line is longer than a mebibyte.
    func readLine(withinMs: Int) -> String? {
        read(through: [0x0A], bytesMax: 1 << 20, withinMs: withinMs)
    }

    private func read(through mark: [UInt8], bytesMax: Int, withinMs: Int) -> String? {
        let end = Self.nowMs + withinMs
        while true {
            if let index = unread.indices.first(where: { unread[$0...].starts(with: mark) }) {
                return read(index + mark.count, withinMs: 0).map {
                    String(decoding: $0, as: UTF8.self)
                }
            }
            guard unread.count < bytesMax, !isClosedByPeer, receive(withinMs: end - Self.nowMs)
            else {
                return nil
            }
        }
    }

    /// Reads the bytes that have arrived. Returns false if none arrive in time. At the end of the
    /// stream, returns true and sets `isClosedByPeer`.
    private func receive(withinMs: Int) -> Bool {
        guard withinMs > 0, isReady(Int16(POLLIN), withinMs) else { return false }
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe recv(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT))
        }
        if count > 0 {
            unread += buffer[..<count]
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            isClosedByPeer = true
        }
        return true
    }

    private func isReady(_ events: Int16, _ ms: Int) -> Bool {
        var wait = pollfd(fd: descriptor, events: events, revents: 0)
        return unsafe poll(&wait, 1, Int32(clamping: ms)) > 0
    }

    static var nowMs: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
}
