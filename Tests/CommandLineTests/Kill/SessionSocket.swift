import Foundation
import Glibc

/// A WebSocket client on plain sockets, for a daemon on 127.0.0.1. It is used on one thread.
final class SessionSocket {
    enum Event: Equatable {
        case text(String)
        /// The daemon is gone or has closed the connection.
        case closed
        /// No message arrived in time.
        case silence
    }

    private let descriptor: Int32
    private var unread: [UInt8] = []

    /// Connects to the daemon. Nil if no server listens there, or if it refuses the upgrade.
    init?(port: UInt16) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe connect(made, generic, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            close(made)
            return nil
        }
        var one: Int32 = 1
        _ = unsafe setsockopt(
            made, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        // From here on, `deinit` closes the descriptor.
        descriptor = made
        write(
            Array(
                """
                GET /v1/session HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: Upgrade\r
                Upgrade: websocket\r\nSec-WebSocket-Version: 13\r
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
                """.utf8))
        guard readHead(within: 5000)?.hasPrefix("HTTP/1.1 101") == true else { return nil }
    }

    deinit { close(descriptor) }

    /// Sends one text frame. If the daemon does not accept data any more, the frame is lost.
    func send(_ text: String) {
        let payload = Array(text.utf8)
        var frame: [UInt8] = [0x81]
        if payload.count < 126 {
            frame.append(0x80 | UInt8(payload.count))
        } else {
            frame += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        }
        // Any mask is valid, so 0 is used.
        write(frame + [0, 0, 0, 0] + payload)
    }

    /// Returns the next message. Pings are answered.
    func receive(within milliseconds: Int32) -> Event {
        while true {
            if let (opcode, payload) = dequeueFrame() {
                switch opcode {
                case 1: return .text(String(decoding: payload, as: UTF8.self))
                case 8: return .closed
                case 9: write([0x8A, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload)
                default: break
                }
                continue
            }
            switch readSome(within: milliseconds) {
            case nil: return .silence
            case false: return .closed
            default: break
            }
        }
    }

    private func dequeueFrame() -> (opcode: UInt8, payload: [UInt8])? {
        guard unread.count >= 2 else { return nil }
        var (length, start) = (Int(unread[1] & 0x7F), 2)
        if length >= 126 {
            let width = length == 126 ? 2 : 8
            guard unread.count >= 2 + width else { return nil }
            length = unread[2..<2 + width].reduce(0) { $0 << 8 | Int($1) }
            start += width
        }
        guard unread.count >= start + length else { return nil }
        defer { unread.removeFirst(start + length) }
        return (unread[0] & 0xF, Array(unread[start..<start + length]))
    }

    private func readHead(within milliseconds: Int32) -> String? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = Data(unread).range(of: Data(end)) {
                defer { unread.removeFirst(range.upperBound) }
                return String(decoding: unread[..<range.lowerBound], as: UTF8.self)
            }
            guard readSome(within: milliseconds) == true else { return nil }
        }
    }

    /// Whether data was received. Nil if none arrived in time. False at the end of the connection.
    private func readSome(within milliseconds: Int32) -> Bool? {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, milliseconds) > 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        unread += buffer[..<count]
        return true
    }

    private func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
