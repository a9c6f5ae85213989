import Foundation
import Glibc
import Testing

/// A watcher over a plain socket that reads nothing until it is told to.
final class FrozenWatcher {
    private let socket: Int32

    init(port: UInt16) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var room: Int32 = 4096
        _ = unsafe setsockopt(
            socket, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe connect(socket, generic, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw POSIXError(.ECONNREFUSED) }
        var time = timeval(tv_sec: 20, tv_usec: 0)
        _ = unsafe setsockopt(
            socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        let request =
            "GET /v1/watch HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUpgrade: websocket\r\n"
            + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            + "Sec-WebSocket-Protocol: refresh.watch.v1\r\n\r\n"
        let bytes = Array(request.utf8)
        let sent = unsafe bytes.withUnsafeBytes {
            unsafe send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent == bytes.count else { throw POSIXError(.EPIPE) }
        _ = try readUntil(#"{"event":"watching"}"#)
    }

    deinit { close(socket) }

    /// Reads until `text` has come; fails if nothing comes for 20 seconds. The heads of frames are
    /// read as text.
    func readUntil(_ text: String) throws -> String {
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        var seen = ""
        while !seen.contains(text) {
            let count = unsafe recv(socket, &piece, piece.count, 0)
            try #require(count > 0, "nothing came any more")
            all += piece[..<count]
            seen = String(decoding: all.suffix(count + 1024), as: UTF8.self)
        }
        return seen
    }
}
