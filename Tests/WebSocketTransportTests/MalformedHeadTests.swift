import Foundation
import Testing
import Workbench

@testable import WebSocketTransport

/// Heads that libwebsockets would misread, and data that follows an upgrade request.
@Suite(.ownThread) struct MalformedHeadTests {
    private static let host = "Host: a\r\n"
    private static let next = "GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

    /// Returns a server that records its requests.
    private static func server(
        _ requests: Recorder<String>, identity: TLSIdentity? = nil
    ) throws -> TestServer {
        try TestServer(identity: identity) { script in
            script.respond = { request in
                requests.record(request.path)
                return HTTPResponse(
                    status: 200, body: [UInt8](repeating: 97, count: Int(request.query) ?? 2))
            }
            script.admit = { request in
                requests.record(request.path)
                return .accept(messageBytesMax: 65_536, tag: 0)
            }
        }
    }

    static func identity() throws -> TLSIdentity {
        let pair = try CertificateFolder().make("own")
        return try TLSIdentity(certificate: pair.certificateBytes, key: pair.keyBytes)
    }

    private static func upgrade(_ lines: String = "") -> String {
        "GET /v1/session HTTP/1.1\r\n\(host)Upgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            + "\(lines)\r\n"
    }

    private static let malformed = [
        "GET /a HTTP/1.1\r\n\(host)foo\r\nContent-Length: \(next.utf8.count)\r\n\r\n\(next)",
        "GET /a HTTP/1.1\r\n\(host)foo\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n\(next)",
        "GET /a HTTP/1.1\r\n\(host)foo\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n",
        "GET /a HTTP/1.1\r\n\(host)foo\r\n\r\n\(next)",
        "GET /a HTTP/1.1\r\n\(host)Content-Length  : \(next.utf8.count)\r\n\r\n\(next)",
        "GET /a HTTP/1.1\r\n\(host)A: b\r\n Origin: c\r\n\r\n",
        "GET /a HTTP/1.1\nHost: a\n\n",
        "GET /a HTTP/1.1\r\n\(host)X-Forwarded: a\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n",
        "GET /a HTTP/1.1\r\n\(host)c: a\r\nContent-Length: \(next.utf8.count)\r\n\r\n\(next)",
        "GET /a?%0az HTTP/1.1\r\nContent-Length: \(next.utf8.count)\r\n\(host)Connection: keep-alive\r\n\r\n\(next)",
        "GET /a?%0Dz HTTP/1.1\r\nX-Forwarded-For: 1.2.3.4\r\n\(host)\r\n",
        "GET /a%0aHTTP/1.1 HTTP/1.1\r\n\(host)\r\n",
        "DELETE%2Fa / HTTP/1.1\r\n\(host)\r\n",
        "PATCHES /a HTTP/1.1\r\n\(host)\r\n",
        "PUT%0a" + upgrade(),
        upgrade("o: a\r\nOrigin: https://evil.example\r\n"),
        upgrade("foo\r\nOrigin: https://evil.example\r\n"),
        upgrade("foo\r\nContent-Length: 5\r\n") + "HELLO",
        upgrade("Origin : https://evil.example\r\n"),
    ]

    private static func isRefusal(_ answer: String, _ code: String) -> Bool {
        answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("connection: close\r\n")
            && answer.hasSuffix("}") && answer.contains("\"code\":\"\(code)\"")
            && answer.ranges(of: "HTTP/1.1 ").count == 1
    }

    @Test(
        "A head with an invalid line is answered with 400, and the handler is not called",
        arguments: malformed)
    func refuses(_ text: String) throws {
        let requests = Recorder<String>()
        let server = try Self.server(requests)
        let peer = try #require(RawPeer(port: server.port))
        peer.send(text)
        let answer = String(decoding: try #require(peer.readToEnd()), as: UTF8.self)
        #expect(Self.isRefusal(answer, "headMalformed"), "\(answer)")
        let slow = try #require(RawPeer(port: server.port))
        for byte in text.utf8 { slow.send([byte]) }
        let again = String(decoding: try #require(slow.readToEnd()), as: UTF8.self)
        #expect(Self.isRefusal(again, "headMalformed"), "\(again)")
        #expect(requests.all.isEmpty)
        #expect(server.onLoop { $0.connectionCount } == 0)
    }

    @Test("Over TLS a head with an invalid line is also refused", arguments: malformed)
    func refusesEncrypted(_ text: String) throws {
        let requests = Recorder<String>()
        let server = try Self.server(requests, identity: Self.identity())
        let middle = text.utf8.count / 2
        for pieces in [[text], [String(text.prefix(middle)), String(text.dropFirst(middle))]] {
            let answer = try Self.send(pieces, to: server)
            #expect(Self.isRefusal(answer, "headMalformed"), "\(answer)")
        }
        #expect(requests.all.isEmpty)
    }

    @Test("A malformed head that follows valid heads is refused after the valid ones are answered")
    func second() throws {
        let requests = Recorder<String>()
        let server = try Self.server(requests)
        for size in [2, 300_000] {
            let peer = try #require(RawPeer(port: server.port))
            let good = "GET /a?\(size) HTTP/1.1\r\n\(Self.host)\r\n"
            peer.send(good + good + "GET /b HTTP/1.1\r\nfoo\r\n\(Self.host)\r\n" + Self.next)
            #expect(peer.readAnswer().body.count == size)
            #expect(peer.readAnswer().body.count == size)
            let rest = String(decoding: try #require(peer.readToEnd()), as: UTF8.self)
            #expect(Self.isRefusal(rest, "headMalformed"), "\(rest)")
        }
        #expect(requests.all == ["/a", "/a", "/a", "/a"])
    }

    @Test("Heads that are sent together are all answered, wherever libwebsockets' reads end")
    func pipelined() throws {
        let requests = Recorder<String>()
        let server = try Self.server(requests)
        for first in [100, 4_079, 4_080, 4_081, 8_160] {
            let heads = [first] + (1..<20).map { 60 + $0 * 97 % 400 }
            let texts = heads.enumerated().map { number, size in
                let bare = "GET /a?\(number) HTTP/1.1\r\n\(Self.host)X-Pad: \r\n\r\n"
                let pad = String(repeating: "p", count: max(0, size - bare.utf8.count))
                return bare.replacingOccurrences(of: "X-Pad: ", with: "X-Pad: \(pad)")
            }
            let peer = try #require(RawPeer(port: server.port))
            peer.send(texts.joined())
            for number in heads.indices { #expect(peer.readAnswer().body.count == number) }
            peer.send(Self.upgrade())
            #expect(peer.readHead().hasPrefix("HTTP/1.1 101 "))
        }
    }

    @Test("A head in several pieces is answered when it is complete")
    func pieces() throws {
        let requests = Recorder<String>()
        let server = try Self.server(requests)
        let peer = try #require(RawPeer(port: server.port))
        let pad = String(repeating: "p", count: 3_000)
        let head = "GET /a?5 HTTP/1.1\r\n\(Self.host)X-Pad: \(pad)\r\nX-More: \(pad)\r\n\r\n"
        for _ in 0..<3 {
            for byte in head.utf8 { peer.send([byte]) }
            #expect(peer.readAnswer().body.count == 5)
        }
        for byte in Self.upgrade().utf8 { peer.send([byte]) }
        #expect(peer.readHead().hasPrefix("HTTP/1.1 101 "))
        peer.sendFrame(Array("hi".utf8))
        #expect(peer.readFrame()?.text == "hi")
    }

    @Test("An upgrade is refused if the peer sends frames before the answer")
    func earlyData() throws {
        let requests = Recorder<String>()
        let server = try Self.server(requests)
        let frame = RawPeer.frame([UInt8](repeating: 97, count: 2_000))
        for before in ["", "GET /page?5 HTTP/1.1\r\n\(Self.host)\r\n"] {
            let peer = try #require(RawPeer(port: server.port))
            peer.send(Array((before + Self.upgrade()).utf8) + frame)
            if !before.isEmpty { #expect(peer.readAnswer().body.count == 5) }
            let answer = String(decoding: try #require(peer.readToEnd()), as: UTF8.self)
            #expect(Self.isRefusal(answer, "sentBeforeUpgrade"), "\(answer)")
        }
        #expect(requests.all == ["/page"])
        #expect(server.onLoop { $0.connectionCount } == 0)
    }

    @Test("Over TLS an upgrade with frames in the same record is refused")
    func earlyDataEncrypted() throws {
        let requests = Recorder<String>()
        let server = try Self.server(requests, identity: Self.identity())
        let answer = try Self.send([Self.upgrade() + "frames"], to: server)
        #expect(Self.isRefusal(answer, "sentBeforeUpgrade"), "\(answer)")
        #expect(requests.all.isEmpty)
    }

    @Test("Over TLS, a head in several records and several heads in one record are answered")
    func encrypted() throws {
        let requests = Recorder<String>()
        let server = try Self.server(requests, identity: Self.identity())
        let pad = String(repeating: "p", count: 3_000)
        let head = "GET /a?5 HTTP/1.1\r\n\(Self.host)X-Pad: \(pad)\r\nX-More: \(pad)\r\n\r\n"
        let answers = try Self.send(
            [String(head.prefix(2_000)), String(head.dropFirst(2_000)) + head, head + Self.next],
            to: server)
        #expect(answers.ranges(of: "HTTP/1.1 200 ").count == 4, "\(answers)")
        #expect(requests.all == ["/a", "/a", "/a", "/next"])
    }

    @Test("A peer that closes before its head is complete is disconnected")
    func ended() throws {
        let left = Recorder<Bool>()
        let server = try TestServer { script in script.left = { _ in left.record(true) } }
        for text in ["", "GET / HT", "GET / HTTP/1.1\r\nA: b"] {
            let before = left.all.count
            do {
                let peer = try #require(RawPeer(port: server.port))
                peer.send(text)
            }
            #expect(left.waitUntil { $0.count > before }, "\(text)")
        }
    }

    /// Sends the pieces over TLS, one record each, and returns all answers.
    static func send(_ pieces: [String], to server: TestServer) throws -> String {
        let client = Process()
        client.executableURL = URL(filePath: "/usr/bin/env")
        client.arguments = [
            "openssl", "s_client", "-connect", "127.0.0.1:\(server.port)", "-quiet", "-ign_eof",
        ]
        let input = Pipe()
        let output = Pipe()
        client.standardInput = input
        client.standardOutput = output
        client.standardError = FileHandle.nullDevice
        try client.run()
        for piece in pieces {
            // `openssl` makes one record of all data that it reads in one call. The next piece is
            // therefore written only after `openssl` has read this one.
            try? input.fileHandleForWriting.write(contentsOf: Data(piece.utf8))
            #expect(
                eventually {
                    !client.isRunning || isDrained(input.fileHandleForWriting)
                })
        }
        let text = output.fileHandleForReading.readDataToEndOfFile()
        client.waitForStatus()
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether all data in a pipe has been read.
    private static func isDrained(_ pipe: FileHandle) -> Bool {
        var unread: Int32 = 0
        return unsafe ioctl(pipe.fileDescriptor, UInt(FIONREAD), &unread) != 0 || unread == 0
    }
}
