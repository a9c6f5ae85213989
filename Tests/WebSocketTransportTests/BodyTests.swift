import Testing
import Workbench

@testable import WebSocketTransport

/// The bodies of requests. The server of these tests accepts bodies at `/take`, up to 262,144
/// bytes, and at `/few`, up to 16 bytes. It answers with the body.
@Suite(.ownThread) struct BodyTests {
    static let second = "GET /second HTTP/1.1\r\nHost: a\r\n\r\n"

    static func server(
        _ requests: Recorder<HTTPRequest>, identity: TLSIdentity? = nil,
        _ change: (inout ScriptHandler.Script) -> Void = { _ in }
    ) throws -> TestServer {
        try TestServer(identity: identity) { script in
            script.bodyDecision = { request in
                #expect(request.method == "POST" && request.body.isEmpty)
                return .read(
                    bytesMax: request.path == "/take" ? 262_144 : request.path == "/few" ? 16 : 0)
            }
            script.respond = { request in
                requests.record(request)
                return HTTPResponse(status: 200, body: request.body)
            }
            change(&script)
        }
    }

    static func head(
        _ count: Int, path: String = "/take", headers: String = ""
    ) -> String {
        "POST \(path) HTTP/1.1\r\nHost: a\r\n\(headers)Content-Length: \(count)\r\n\r\n"
    }

    static func body(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 13) }
    }

    static func count(of answers: [UInt8]) -> Int {
        String(decoding: answers, as: UTF8.self).ranges(of: "HTTP/1.1 ").count
    }

    @Test(
        "A body is delivered completely: with its head, after it, or byte by byte",
        arguments: [1, 2, 300, 1_023, 1_024, 70_000])
    func arrives(_ count: Int) throws {
        let requests = Recorder<HTTPRequest>()
        let server = try Self.server(requests)
        let body = Self.body(count)
        let head = Array(Self.head(count, headers: "Authorization: Bearer t\r\n").utf8)
        for way in 0..<4 {
            let peer = try #require(RawPeer(port: server.port))
            switch way {
            case 0: peer.send(head + body)
            case 1:
                peer.send(head)
                peer.send(body)
            case 2:
                peer.send(head)
                // The server reads the head before the body is sent.
                #expect(eventually { server.onLoop { $0.watched.isEmpty } == true })
                peer.send(body)
            default: for byte in head + body { peer.send([byte]) }
            }
            let answer = peer.readAnswer()
            #expect(answer.head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answer.head.contains("connection: close\r\n"))
            #expect(answer.body == body)
            #expect(peer.readToEnd() == [])
        }
        #expect(requests.all.count == 4)
        for request in requests.all {
            #expect(request.method == "POST" && request.path == "/take")
            #expect(request.authorization == "Bearer t" && request.host == "a")
            #expect(request.body == body)
        }
    }

    @Test("A body is delivered completely wherever the stream is divided into two segments")
    func cuts() throws {
        let requests = Recorder<HTTPRequest>()
        let server = try Self.server(requests)
        let body = Self.body(12)
        let stream = Array(Self.head(12, path: "/few").utf8) + body
        for cut in stream.indices {
            let peer = try #require(RawPeer(port: server.port))
            peer.send(Array(stream[..<cut]))
            if cut % 3 == 0 { peer.wait(ms: 2) }
            peer.send(Array(stream[cut...]))
            #expect(peer.readAnswer().body == body)
        }
        #expect(requests.all.count == stream.count)
    }

    @Test("A request that the handler refuses at its head is answered before its body arrives")
    func refusedAtHead() throws {
        let requests = Recorder<HTTPRequest>()
        let server = try Self.server(requests) { script in
            script.bodyDecision = { request in
                request.authorization == "Bearer t"
                    ? .read(bytesMax: 16)
                    : .refuse(HTTPResponse.fault(status: 401, code: "no", message: "No token."))
            }
        }
        for headers in ["", "Expect: 100-continue\r\n", "Authorization: Bearer u\r\n"] {
            let peer = try #require(RawPeer(port: server.port))
            peer.send(Array(Self.head(1_000_000, headers: headers).utf8))
            let answer = peer.readAnswer()
            #expect(answer.head.hasPrefix("HTTP/1.1 401 Unauthorized\r\n"))
            #expect(answer.head.contains("connection: close\r\n"))
            #expect(peer.readToEnd() == [])
        }
        for _ in 0..<5 {
            let peer = try #require(RawPeer(port: server.port))
            peer.send(Array(Self.head(200_000).utf8) + Self.body(60_000))
            #expect(peer.readAnswer().head.hasPrefix("HTTP/1.1 401 Unauthorized\r\n"))
        }
        #expect(requests.all.isEmpty)
        let peer = try #require(RawPeer(port: server.port))
        peer.send(Array(Self.head(3, headers: "Authorization: Bearer t\r\n").utf8) + [1, 2, 3])
        #expect(peer.readAnswer().body == [1, 2, 3])
    }

    @Test("The bodies that are read at one time have a bound, which the end of a body frees")
    func total() throws {
        let requests = Recorder<HTTPRequest>()
        let server = try Self.server(requests)
        let count = LoopConfiguration.bodiesBytesMax / 16
        var peers: [RawPeer] = []
        for _ in 0..<16 {
            let peer = try #require(RawPeer(port: server.port))
            peer.send(Array(Self.head(count).utf8))
            peers.append(peer)
        }
        #expect(eventually { server.onLoop { $0.bodyTotal.bytes } == 16 * count })
        let late = try #require(RawPeer(port: server.port))
        late.send(Array(Self.head(1).utf8))
        let answer = late.readAnswer()
        #expect(answer.head.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
        #expect(answer.head.contains("retry-after: 1\r\n"))
        #expect(String(decoding: answer.body, as: UTF8.self).contains("tooManyBodies"))
        // A connection that is lost, and a body that has arrived, free their places.
        peers.removeLast()
        #expect(eventually { server.onLoop { $0.bodyTotal.bytes } == 15 * count })
        let next = try #require(RawPeer(port: server.port))
        next.send(Array(Self.head(1).utf8) + [7])
        #expect(next.readAnswer().body == [7])
        #expect(eventually { server.onLoop { $0.bodyTotal.bytes } == 15 * count })
    }

    @Test("A body is complete, wherever libwebsockets ends a read of a long head")
    func longHeads() throws {
        let requests = Recorder<HTTPRequest>()
        let server = try Self.server(requests)
        let body = Self.body(1_000)
        for size in [3_070, 3_079, 3_080, 3_081, 4_000, 4_079, 4_080, 4_081, 5_000] {
            let bare = Self.head(1_000, headers: "X-Pad: \r\n").utf8.count
            let pad = "X-Pad: \(String(repeating: "p", count: size - bare))\r\n"
            let peer = try #require(RawPeer(port: server.port))
            peer.send(Array(Self.head(1_000, headers: pad).utf8) + body)
            #expect(peer.readAnswer().body == body)
        }
    }

    @Test("Over TLS a body arrives in the record of its head, in other records, or byte by byte")
    func encrypted() throws {
        let requests = Recorder<HTTPRequest>()
        let server = try Self.server(requests, identity: MalformedHeadTests.identity())
        let body = String(repeating: "b", count: 1_000)
        let bare = Self.head(1_000, headers: "X-Pad: \r\n").utf8.count
        let long = "X-Pad: \(String(repeating: "p", count: 4_000 - bare))\r\n"
        let head = Self.head(1_000)
        let few = Self.head(5, path: "/few") + "abcde"
        let streams: [(pieces: [String], body: String)] = [
            ([head + body], body), ([head, body], body),
            (
                [
                    String(head.prefix(20)), "\(head.dropFirst(20))bbbbbbb",
                    "\(body.dropFirst(7))",
                ],
                body
            ),
            // libwebsockets reads only a part of this record in one read.
            ([Self.head(1_000, headers: long) + body], body),
            ([Self.head(1_000, headers: long) + body + Self.second + long + long], body),
            (few.map { "\($0)" }, "abcde"),
        ]
        for stream in streams {
            let answer = try MalformedHeadTests.send(stream.pieces, to: server)
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(answer)")
            #expect(answer.hasSuffix("\r\n\r\n\(stream.body)"), "\(answer)")
            #expect(Self.count(of: Array(answer.utf8)) == 1)
        }
        #expect(requests.all.count == streams.count)
        #expect(requests.all.allSatisfy { $0.isEncrypted && $0.path != "/second" })
    }

    @Test(
        "A body that is too long or has no valid length is refused without a call of the handler",
        arguments: [
            "Content-Length: 262145", "Content-Length: 1048576", "Content-Length: +3",
            "Content-Length: -3", "Content-Length: 0x3", "Content-Length: 3 4",
            "Content-Length: 3, 3", "Content-Length: 3\r\nContent-Length: 3",
            "Content-Length: 3\r\nContent-Length: 4", "Content-Length: 0\r\nContent-Length: 3",
            "Content-Length: 00", "Content-Length: 3.0", "Content-Length: 18446744073709551619",
            "Content-Length: 0000000000000000000000000000000000000003",
            "Transfer-Encoding: chunked", "Transfer-Encoding: identity\r\nContent-Length: 3",
            "Content-Length: 3\r\nTransfer-Encoding: chunked",
        ])
    func refused(_ lines: String) throws {
        let requests = Recorder<HTTPRequest>()
        let server = try Self.server(requests)
        let peer = try #require(RawPeer(port: server.port))
        peer.send("POST /take HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\nabc" + Self.second)
        let answer = String(decoding: try #require(peer.readToEnd()), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
        let isTooLong = ["Content-Length: 262145", "Content-Length: 1048576"].contains(lines)
        let code = isTooLong ? "tooLarge" : "bodyRefused"
        #expect(answer.contains("\"code\":\"\(code)\""))
        #expect(Self.count(of: Array(answer.utf8)) == 1)
        #expect(requests.all.isEmpty)
    }

    @Test("The handler limits bodies by path, and a path without a limit accepts no body")
    func bounds() throws {
        let requests = Recorder<HTTPRequest>()
        let server = try Self.server(requests)
        for (path, count, status) in [
            ("/few", 16, 200), ("/few", 17, 413), ("/none", 1, 413), ("/take/", 1, 413),
        ] {
            let peer = try #require(RawPeer(port: server.port))
            peer.send(Array(Self.head(count, path: path).utf8) + Self.body(count))
            #expect(peer.readAnswer().head.hasPrefix("HTTP/1.1 \(status) "), "\(path) \(count)")
        }
        let peer = try #require(RawPeer(port: server.port))
        peer.send("DELETE /take HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\na")
        #expect(peer.readAnswer().head.hasPrefix("HTTP/1.1 413 "))
        #expect(requests.all.map(\.body.count) == [16])
    }

    @Test("A Content-Length may be surrounded by blanks, and HTTP/1.0 requests may have a body")
    func lenient() throws {
        let requests = Recorder<HTTPRequest>()
        let server = try Self.server(requests)
        for text in [
            "POST /take HTTP/1.1\r\nHost: a\r\ncontent-length: \t3 \r\n\r\nabc",
            "POST /take HTTP/1.1\r\nHost: a\r\nCONTENT-LENGTH:003\r\n\r\nabc",
            "POST /take HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc",
        ] {
            let peer = try #require(RawPeer(port: server.port))
            peer.send(text)
            #expect(peer.readAnswer().body == Array("abc".utf8), "\(text)")
        }
    }

    @Test("The handler gets an empty body if there is none, or if a GET has one")
    func none() throws {
        let requests = Recorder<HTTPRequest>()
        let server = try Self.server(requests)
        for text in [
            "POST /take HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST /take HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
            "DELETE /take HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /take HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
        ] {
            let peer = try #require(RawPeer(port: server.port))
            peer.send(text)
            #expect(peer.readAnswer().head.hasPrefix("HTTP/1.1 200 "), "\(text)")
        }
        #expect(requests.all.count == 4)
        #expect(requests.all.allSatisfy { $0.body.isEmpty })
    }

    @Test("A client that waits for 100 Continue receives it before it sends the body")
    func continues() throws {
        let requests = Recorder<HTTPRequest>()
        let server = try Self.server(requests)
        let peer = try #require(RawPeer(port: server.port))
        peer.send(Self.head(3, headers: "Expect: 100-Continue\r\n"))
        #expect(peer.readHead() == "HTTP/1.1 100 Continue\r\n\r\n")
        #expect(requests.all.isEmpty)
        peer.send("abc")
        #expect(peer.readAnswer().body == Array("abc".utf8))
        let long = try #require(RawPeer(port: server.port))
        long.send(Self.head(17, path: "/few", headers: "Expect: 100-continue\r\n"))
        #expect(long.readAnswer().head.hasPrefix("HTTP/1.1 413 "))
    }
}
