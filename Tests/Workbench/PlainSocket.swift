internal import Glibc

/// A TCP client that connects to 127.0.0.1 and sends the bytes that a test gives it. Each wait for
/// the peer lasts at most a minute.
package final class PlainSocket {
    private let descriptor: Int32
    private var unread: [UInt8] = []

    /// No server listens on the port.
    package struct Refused: Error {}

    package init(port: UInt16, receiveBufferBytes: Int32? = nil) throws {
        let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if var bytes = receiveBufferBytes {
            _ = unsafe setsockopt(
                made, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(made, $0, size)
            }
        }
        guard result == 0 else {
            close(made)
            throw Refused()
        }
        descriptor = made
    }

    deinit { close(descriptor) }

    /// Returns whether all bytes were sent.
    @discardableResult
    package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            guard isReady(Int16(POLLOUT), 60_000) else { return false }
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.send(
                    descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent,
                    Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count < 0, errno != EAGAIN { return false }
            sent += max(0, count)
        }
        return true
    }

    /// Waits at most `timeoutMs` until the kernel accepts bytes, and then sends without blocking.
    /// Returns false if the kernel has not accepted all bytes.
    package func sendNow(_ bytes: [UInt8], timeoutMs: Int32) -> Bool {
        guard isReady(Int16(POLLOUT), timeoutMs) else { return false }
        return unsafe bytes.withUnsafeBytes { buffer in
            unsafe Glibc.send(
                descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        } == bytes.count
    }

    /// Waits at most `timeoutMs` until the kernel accepts bytes, and then sends without blocking.
    /// Returns the number of bytes that the kernel has accepted.
    package func sendSome(_ bytes: ArraySlice<UInt8>, timeoutMs: Int32) -> Int {
        guard isReady(Int16(POLLOUT), timeoutMs) else { return 0 }
        let count = unsafe bytes.withUnsafeBytes { buffer in
            unsafe Glibc.send(
                descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        return max(0, count)
    }

    /// Sends one masked text frame of less than 64 KiB.
    package func sendText(_ text: String) { send(Self.frame(text)) }

    package static func frame(_ text: String) -> [UInt8] {
        let payload = Array(text.utf8)
        var bytes: [UInt8] = [0x81]
        if payload.count < 126 {
            bytes.append(0x80 | UInt8(payload.count))
        } else {
            bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
        }
        return bytes + [0, 0, 0, 0] + payload
    }

    /// Returns the head of an answer, including the empty line at its end.
    package func readHead() -> String {
        let mark = Array("\r\n\r\n".utf8)
        while true {
            if unread.count >= 4 {
                for end in 4...unread.count where Array(unread[(end - 4)..<end]) == mark {
                    defer { unread.removeFirst(end) }
                    return String(decoding: unread[..<end], as: UTF8.self)
                }
            }
            guard readSome() else { return String(decoding: unread, as: UTF8.self) }
        }
    }

    /// Returns the data that follows the head, until nothing arrives for a quarter of a second.
    package func readBody() -> String {
        while isReady(Int16(POLLIN), 250), readSome() {}
        defer { unread = [] }
        return String(decoding: unread, as: UTF8.self)
    }

    /// Returns the first `count` bytes that follow the head, or fewer if no more arrive.
    package func readBody(bytes count: Int) -> String {
        while unread.count < count, readSome() {}
        defer { unread.removeFirst(min(count, unread.count)) }
        return String(decoding: unread.prefix(count), as: UTF8.self)
    }

    /// Returns all data until the peer closes the connection or is silent for a minute.
    package func readToEnd() -> String {
        while readSome() {}
        defer { unread = [] }
        return String(decoding: unread, as: UTF8.self)
    }

    /// Returns the next text message. Nil if there is none.
    package func readText() -> String? {
        guard let head = readBytes(2) else { return nil }
        var size = Int(head[1] & 0x7f)
        if size >= 126 {
            guard let length = readBytes(size == 126 ? 2 : 8) else { return nil }
            size = length.reduce(0) { $0 << 8 | Int($1) }
        }
        return readBytes(size).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the code of the next close frame, and skips other frames. Nil if the connection ends
    /// without a close frame, or if the frame has no code.
    package func readClose() -> UInt16? {
        while let head = readBytes(2) {
            var size = Int(head[1] & 0x7f)
            if size >= 126 {
                guard let length = readBytes(size == 126 ? 2 : 8) else { return nil }
                size = length.reduce(0) { $0 << 8 | Int($1) }
            }
            guard let payload = readBytes(size) else { return nil }
            guard head[0] & 0x0f == 8 else { continue }
            return size < 2 ? nil : UInt16(payload[0]) << 8 | UInt16(payload[1])
        }
        return nil
    }

    private func readBytes(_ count: Int) -> [UInt8]? {
        while unread.count < count { guard readSome() else { return nil } }
        defer { unread.removeFirst(count) }
        return Array(unread[..<count])
    }

    private func isReady(_ events: Int16, _ milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        return unsafe poll(&entry, 1, milliseconds) > 0
    }

    private func readSome() -> Bool {
        guard isReady(Int16(POLLIN), 60_000) else { return false }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        unread += buffer[..<count]
        return true
    }
}
