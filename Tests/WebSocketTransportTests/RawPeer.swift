import Glibc

@testable import WebSocketTransport

/// A client on a plain socket. It can send invalid input. A wait for the server ends after ten
/// seconds, and in `readToEnd` after a minute.
final class RawPeer {
    /// One frame as received.
    struct Frame: Equatable {
        var opcode: UInt8
        var isFinal: Bool
        var payload: [UInt8]

        var text: String { String(decoding: payload, as: UTF8.self) }
        /// The code of a close frame; nil if it has none.
        var closeCode: UInt16? {
            payload.count < 2 ? nil : UInt16(payload[0]) << 8 | UInt16(payload[1])
        }
        var closeReason: String { String(decoding: payload.dropFirst(2), as: UTF8.self) }
    }

    private let descriptor: Int32
    private var unread: [UInt8] = []

    init?(host: String = "127.0.0.1", port: UInt16, receiveBufferBytes: Int32? = nil) {
        guard let address = SocketAddress(literal: host, port: port) else { return nil }
        let made = socket(
            address.family, SocketAddress.streamKind | Int32(SOCK_CLOEXEC.rawValue), 0)
        if var bytes = receiveBufferBytes {
            _ = unsafe setsockopt(
                made, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        _ = ListeningSocket.setFlag(made, Int32(IPPROTO_TCP), TCP_NODELAY)
        guard unsafe address.withPointer({ unsafe Glibc.connect(made, $0, $1) }) == 0 else {
            close(made)
            return nil
        }
        // This is assigned last. If every property were set, a failing initialiser would also run
        // `deinit`, which could close a descriptor that by then belongs to another test.
        descriptor = made
    }

    deinit {
        close(descriptor)
    }

    /// Sends all bytes. Returns false if the server has hung up or accepts nothing for ten seconds.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            guard isReady(Int16(POLLOUT), 10_000) else { return false }
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.send(
                    descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent,
                    Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count < 0 {
                guard errno == EAGAIN else { return false }
                continue
            }
            sent += count
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends `bytes[start...]` until the server accepts nothing for `timeoutMs` milliseconds.
    /// Returns the index of the next byte.
    func send(_ bytes: [UInt8], from start: Int, timeoutMs: Int32) -> Int {
        var sent = start
        while sent < bytes.count, isReady(Int16(POLLOUT), timeoutMs) {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.send(
                    descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent,
                    Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count > 0 { sent += count } else if errno != EAGAIN { break }
        }
        return sent
    }

    /// Sends one masked frame. If `announcing` is given, the frame's header states this length.
    func sendFrame(
        _ payload: [UInt8], opcode: UInt8 = 1, isFinal: Bool = true, announcing: Int? = nil
    ) {
        send(Self.frame(payload, opcode: opcode, isFinal: isFinal, announcing: announcing))
    }

    static func frame(
        _ payload: [UInt8], opcode: UInt8 = 1, isFinal: Bool = true, announcing: Int? = nil
    ) -> [UInt8] {
        let length = announcing ?? payload.count
        var bytes: [UInt8] = [(isFinal ? 0x80 : 0) | opcode]
        if length < 126 {
            bytes.append(0x80 | UInt8(length))
        } else if length < 65_536 {
            bytes += [0x80 | 126, UInt8(length >> 8), UInt8(length & 0xff)]
        } else {
            bytes.append(0x80 | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: length >> shift))
            }
        }
        // Long payloads have the mask 0, which is valid and much faster to apply.
        if payload.count > 10_000 { return bytes + [0, 0, 0, 0] + payload }
        let mask: [UInt8] = [0x37, 0xfa, 0x21, 0x3d]
        bytes += mask
        bytes += payload.enumerated().map { $1 ^ mask[$0 & 3] }
        return bytes
    }

    /// Returns the next `count` bytes, or fewer if the server has hung up or sends nothing for ten
    /// seconds.
    func read(_ count: Int) -> [UInt8] {
        while unread.count < count, readSome() {}
        let taken = Array(unread.prefix(count))
        unread.removeFirst(taken.count)
        return taken
    }

    /// Returns all bytes until the server hangs up; nil if the server sends nothing for a minute.
    func readToEnd() -> [UInt8]? {
        while true {
            guard isReady(Int16(POLLIN), 60_000) else { return nil }
            guard readSome() else { break }
        }
        defer { unread = [] }
        return unread
    }

    /// Returns the head of an answer, including its empty line.
    func readHead() -> String {
        let mark = Array("\r\n\r\n".utf8)
        var from = 0
        while true {
            while from + 4 <= unread.count {
                if unread[from..<from + 4].elementsEqual(mark) {
                    return String(decoding: read(from + 4), as: UTF8.self)
                }
                from += 1
            }
            guard readSome() else { return String(decoding: read(unread.count), as: UTF8.self) }
        }
    }

    /// Returns the next answer. Its head must have a Content-Length if it has a body.
    func readAnswer(hasBody: Bool = true) -> (head: String, body: [UInt8]) {
        let head = readHead()
        let length =
            head.split(separator: "\r\n").compactMap { line -> Int? in
                line.lowercased().hasPrefix("content-length:")
                    ? Int(line.dropFirst(15).filter { $0 != " " }) : nil
            }.first ?? 0
        return (head, hasBody ? read(length) : [])
    }

    /// Returns the next frame; nil if the server has hung up.
    func readFrame() -> Frame? {
        let start = read(2)
        guard start.count == 2 else { return nil }
        var length = Int(start[1] & 0x7f)
        if length >= 126 {
            length = read(length == 126 ? 2 : 8).reduce(0) { $0 << 8 | Int($1) }
        }
        let payload = read(length)
        guard payload.count == length else { return nil }
        return Frame(opcode: start[0] & 0xf, isFinal: start[0] & 0x80 != 0, payload: payload)
    }

    /// Requests an upgrade and returns the head of the answer. `headers` replaces the usual
    /// headers.
    func upgrade(
        path: String = "/v1/session", method: String = "GET", version: String = "HTTP/1.1",
        headers: [String: String?] = [:]
    ) -> String {
        sendUpgrade(path: path, method: method, version: version, headers: headers)
        return readHead()
    }

    func sendUpgrade(
        path: String = "/v1/session", method: String = "GET", version: String = "HTTP/1.1",
        headers: [String: String?] = [:]
    ) {
        var all: [String: String?] = [
            "Host": "127.0.0.1", "Connection": "Upgrade", "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        ]
        all.merge(headers) { $1 }
        var text = "\(method) \(path) \(version)\r\n"
        for (name, value) in all.sorted(by: { $0.key < $1.key }) {
            if let value { text += "\(name): \(value)\r\n" }
        }
        send(text + "\r\n")
    }

    /// Waits without sending anything.
    func wait(ms: UInt32) { usleep(ms * 1_000) }

    private func isReady(_ events: Int16, _ milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        return unsafe poll(&entry, 1, milliseconds) > 0
    }

    private func readSome() -> Bool {
        guard isReady(Int16(POLLIN), 10_000) else { return false }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        unread += buffer[..<count]
        return true
    }
}
