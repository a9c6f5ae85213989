import Foundation
import Glibc
import ScenarioKit
import Testing
import WireContract

/// A watcher, which is a client of `/v1/watch`, over a plain socket. It reads only when the test
/// calls `readUntil`.
final class FrozenWatcher {
    private let socket: Int32
    /// The received bytes that were not parsed yet.
    private var waiting: [UInt8] = []
    private var isUpgrading = true

    init(port: UInt16) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var bufferBytes: Int32 = 4096
        _ = unsafe setsockopt(
            socket, SOL_SOCKET, SO_RCVBUF, &bufferBytes, socklen_t(MemoryLayout<Int32>.size))
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

    /// Reads frames until one contains `text`, and returns that frame. Each frame is checked
    /// against the contract. Fails if no data arrives for 20 seconds.
    func readUntil(_ text: String) throws -> String {
        while true {
            while let frame = nextFrame() {
                let findings = CheckedLine.contract.violations(inFrame: frame, from: .watch)
                #expect(findings.isEmpty, "\(frame)")
                if frame.contains(text) { return frame }
            }
            var piece = [UInt8](repeating: 0, count: 65_536)
            let count = unsafe recv(socket, &piece, piece.count, 0)
            try #require(count > 0, "no more data arrived")
            waiting += piece[..<count]
            if isUpgrading { passHead() }
        }
    }

    /// Removes the answer to the upgrade as soon as the answer is complete.
    private func passHead() {
        guard let end = waiting.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
        waiting.removeFirst(end.upperBound)
        isUpgrading = false
    }

    /// Returns the text of the next complete frame. Pings are skipped. Source: RFC 6455, 5.2.
    private func nextFrame() -> String? {
        while !isUpgrading, waiting.count >= 2 {
            let short = Int(waiting[1])
            let head = short < 126 ? 2 : short == 126 ? 4 : 10
            guard waiting.count >= head else { return nil }
            let length = short < 126 ? short : waiting[2..<head].reduce(0) { $0 << 8 | Int($1) }
            guard waiting.count >= head + length else { return nil }
            let first = waiting[0]
            let payload = String(decoding: waiting[head..<(head + length)], as: UTF8.self)
            waiting.removeFirst(head + length)
            if first == 0x81 { return payload }
            #expect(first == 0x89, "the frame is neither a whole text nor a ping")
        }
        return nil
    }
}
