internal import Foundation
internal import Glibc
internal import Synchronization

/// An HTTP server on 127.0.0.1 for one test. Each connection has its own thread, which calls
/// `answer`.
///
/// It sends raw bytes, so that a test can send what a server library would refuse to send.
package final class LocalServer: Sendable {
    /// A client's request, and the means to answer it.
    package struct Exchange: Sendable {
        /// The request line and headers, without the empty line.
        package let head: String
        /// The body, with the length that the headers specify.
        package let body: [UInt8]
        fileprivate let socket: Int32

        /// The request target, such as `/path?query`.
        package var target: String {
            head.split(separator: " ", maxSplits: 2).dropFirst().first.map(String.init) ?? ""
        }

        /// The value of a header; nil if it is absent.
        package func header(_ name: String) -> String? {
            LocalServer.header(name, in: head)
        }

        /// Sends bytes. Returns false if the client has closed the connection.
        @discardableResult
        package func send(_ bytes: [UInt8]) -> Bool {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes { buffer in
                    unsafe Glibc.send(
                        socket, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

        @discardableResult
        package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

        /// Sends a complete answer with the header `Connection: close`.
        package func reply(_ status: Int, _ body: String, headers: String = "") {
            send(
                "HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\n"
                    + "Connection: close\r\n\(headers)\r\n\(body)")
        }

        /// Waits for another request on this connection. Returns false if the client closes the
        /// connection instead.
        package func skipRequest() -> Bool { LocalServer.readRequest(socket) != nil }

        /// Closes the sending side. The client then reads the end of the stream.
        package func endSending() { shutdown(socket, Int32(SHUT_WR)) }

        /// Waits until the client closes the connection.
        package func waitForHangUp() {
            var byte: UInt8 = 0
            while unsafe recv(socket, &byte, 1, 0) > 0 {}
        }
    }

    /// Closes the descriptor when its last user is released. The accepting thread can use the
    /// descriptor after the release of the server. During this time, no socket of another test may
    /// get the number of the descriptor.
    private final class Listener: Sendable {
        let descriptor: Int32

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { close(descriptor) }
    }

    package let port: UInt16
    private let listener: Listener
    private let requests = Mutex<[(head: String, body: [UInt8])]>([])

    package var url: String { "http://127.0.0.1:\(port)" }
    /// The request heads so far.
    package var received: [String] { requests.withLock { $0.map(\.head) } }
    /// The request bodies so far.
    package var bodies: [String] {
        requests.withLock { $0.map { String(decoding: $0.body, as: UTF8.self) } }
    }

    /// If `answersBeforeRequest` is true, `answer` is called when a connection is accepted, with an
    /// empty head, and no request is read.
    package init(
        answersBeforeRequest: Bool = false, _ answer: @escaping @Sendable (Exchange) -> Void
    ) throws {
        let (descriptor, port) = try Self.listen()
        let listener = Listener(descriptor)
        self.listener = listener
        self.port = port
        Thread.detachNewThread { [weak self] in
            while true {
                let socket = accept(listener.descriptor, nil, nil)
                guard socket >= 0 else { return }
                _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
                Thread.detachNewThread { [weak self] in
                    defer { close(socket) }
                    if answersBeforeRequest {
                        return answer(Exchange(head: "", body: [], socket: socket))
                    }
                    guard let request = Self.readRequest(socket) else { return }
                    self?.requests.withLock { $0.append(request) }
                    answer(Exchange(head: request.head, body: request.body, socket: socket))
                }
            }
        }
    }

    deinit {
        shutdown(listener.descriptor, Int32(SHUT_RDWR))
    }

    /// Returns a port of 127.0.0.1 on which no server listens. It was free a moment ago.
    package static func closedPort() throws -> UInt16 {
        let (socket, port) = try listen()
        close(socket)
        return port
    }

    /// Returns a socket that listens on a free port, and the port. The caller closes the socket.
    package static func listen() throws -> (descriptor: Int32, port: UInt16) {
        // Processes that other tests start must not keep this socket open.
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(listener, generic, length) == 0 && Glibc.listen(listener, 64) == 0
                    && getsockname(listener, generic, &length) == 0
            }
        }
        guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    /// The value of a header in a request's head; nil if it is absent.
    package static func header(_ name: String, in head: String) -> String? {
        for line in head.components(separatedBy: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { continue }
            return parts[1].trimmingCharacters(in: .whitespaces)
        }
        return nil
    }

    fileprivate static func readRequest(_ socket: Int32) -> (head: String, body: [UInt8])? {
        guard let head = readHead(socket) else { return nil }
        let length = header("Content-Length", in: head).flatMap { Int($0) } ?? 0
        var body: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while body.count < length {
            let count = unsafe recv(socket, &piece, min(piece.count, length - body.count), 0)
            guard count > 0 else { return nil }
            body += piece[..<count]
        }
        return (head, body)
    }

    private static func readHead(_ socket: Int32) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard unsafe recv(socket, &byte, 1, 0) == 1 else { return nil }
            bytes.append(byte)
        }
        return String(decoding: bytes.dropLast(4), as: UTF8.self)
    }
}
