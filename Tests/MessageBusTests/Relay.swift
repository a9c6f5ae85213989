import Foundation
import Glibc
import Synchronization

/// A network between a connection and a server, which a test can slow down or stop. It forwards the
/// bytes of TCP connections to a port of 127.0.0.1.
final class Relay: Sendable {
    enum Mode: Sendable {
        case forwards
        /// Of the next large piece from the server, only 1,000 bytes arrive, and then nothing.
        case stopsInPiece
        /// Nothing arrives.
        case stopped
        /// Bytes for the server arrive at this rate.
        case slow(bytesPerMs: Int)
    }

    private final class Connection: Sendable {
        let client: Int32
        let server: Int32

        init(client: Int32, server: Int32) {
            self.client = client
            self.server = server
        }

        deinit {
            close(client)
            close(server)
        }

        func end() {
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(server, Int32(SHUT_RDWR))
        }
    }

    private let state = Mutex(Mode.forwards)
    private let listener: Int32
    let port: UInt16

    var mode: Mode {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    init(to target: UInt16) throws {
        listener = Self.socket()
        // The connection must not hide the slowness in large buffers.
        var bytes: Int32 = 65_536
        _ = unsafe setsockopt(
            listener, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        var bound = sockaddr_in()
        let descriptor = listener
        let isListening =
            unsafe Self.with(port: 0) { unsafe bind(descriptor, $0, $1) } == 0
            && listen(descriptor, 16) == 0
        let isNamed = unsafe withUnsafeMutablePointer(to: &bound) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isListening, isNamed else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: bound.sin_port)
        Thread.detachNewThread { [weak self] in
            defer { close(descriptor) }
            while true {
                let client = accept(descriptor, nil, nil)
                guard client >= 0 else { return }
                let server = Self.socket()
                _ = unsafe Self.with(port: target) { unsafe connect(server, $0, $1) }
                self?.run(Connection(client: client, server: server))
            }
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private func run(_ connection: Connection) {
        for (source, sink) in [
            (connection.client, connection.server), (connection.server, connection.client),
        ] {
            Thread.detachNewThread { [weak self] in
                var piece = [UInt8](repeating: 0, count: 32_768)
                while true {
                    let count = unsafe recv(source, &piece, piece.count, 0)
                    guard count > 0, let self else { break }
                    let isForServer = sink == connection.server
                    guard forward(piece[..<count], to: sink, isForServer: isForServer) else {
                        break
                    }
                }
                connection.end()
            }
        }
    }

    private func forward(_ piece: ArraySlice<UInt8>, to sink: Int32, isForServer: Bool) -> Bool {
        var piece = piece
        switch mode {
        case .stopped: return true
        case .stopsInPiece where !isForServer && piece.count > 5000:
            mode = .stopped
            piece = piece.prefix(1000)
        case .slow(let bytesPerMs) where isForServer:
            usleep(UInt32(piece.count / bytesPerMs) * 1000)
        default: break
        }
        while !piece.isEmpty {
            let count = unsafe piece.withUnsafeBytes {
                unsafe send(sink, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            piece = piece.dropFirst(count)
        }
        return true
    }

    private static func socket() -> Int32 {
        Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }

    private static func with(
        port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
