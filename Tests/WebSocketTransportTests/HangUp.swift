import CLWS
import Glibc

@testable import WebSocketTransport

/// The ways in which a server hangs up on an accepted connection before the handshake ends.
enum HangUp: CaseIterable {
    case atOnce, withReset, afterRequest, amidAnswer

    /// Accepts one connection and hangs up on it. Returns false if none arrives within ten seconds.
    func acceptOne(from listener: ListeningSocket) -> Bool {
        guard Self.isReadable(listener.descriptor) else { return false }
        let descriptor = clws_accept(listener.descriptor)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        switch self {
        case .atOnce: return true
        case .withReset:
            var now = linger(l_onoff: 1, l_linger: 0)
            return unsafe setsockopt(
                descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size)) == 0
        case .afterRequest: return Self.readSome(descriptor)
        case .amidAnswer:
            guard Self.readSome(descriptor) else { return false }
            let start = Array("HTTP/1.1 101 Swit".utf8)
            return unsafe send(descriptor, start, start.count, Int32(MSG_NOSIGNAL)) == start.count
        }
    }

    private static func isReadable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, 10_000) > 0
    }

    private static func readSome(_ descriptor: Int32) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        return unsafe isReadable(descriptor) && recv(descriptor, &buffer, buffer.count, 0) > 0
    }
}
