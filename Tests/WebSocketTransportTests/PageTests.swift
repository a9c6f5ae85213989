import Testing
import Workbench

@testable import WebSocketTransport

@Suite(.ownThread) struct PageTests {
    private func server() throws -> TestServer {
        try TestServer { script in
            script.respond = { request in
                guard request.path == "/page", let size = Int(request.query) else {
                    return HTTPResponse(status: 404, body: Array("none".utf8))
                }
                return HTTPResponse(
                    status: 200, headers: [("content-type", "text/plain"), ("x-a", "1\r\nx-b: 2")],
                    body: (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            }
        }
    }

    @Test(
        "Answers of any size arrive completely, one after the other on one connection",
        arguments: [0, 1, 65_000, 65_536, 200_000, 1_000_000])
    func sizes(_ size: Int) throws {
        let server = try server()
        let peer = try #require(RawPeer(port: server.port))
        for _ in 0..<3 {
            peer.send("GET /page?\(size) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            let answer = peer.readAnswer()
            #expect(answer.head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answer.body == (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        }
    }

    @Test("A line break in the value of an answer's header does not begin a new line")
    func headerInjection() throws {
        let server = try server()
        let peer = try #require(RawPeer(port: server.port))
        peer.send("GET /page?1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        let head = peer.readAnswer().head
        #expect(head.contains("x-a: 1  x-b: 2\r\n"))
        #expect(!head.contains("\r\nx-b"))
    }

    @Test("The answer to HEAD has the length but no body")
    func head() throws {
        let server = try server()
        let peer = try #require(RawPeer(port: server.port))
        peer.send("HEAD /page?200000 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        #expect(peer.readAnswer(hasBody: false).head.contains("content-length: 200000\r\n"))
        peer.send("GET /page?2 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        #expect(peer.readAnswer().body == [0, 31])
    }

    @Test(
        "Unsupported methods are answered with 405, and the connection ends",
        arguments: ["PUT", "OPTIONS", "PATCH"])
    func methods(_ method: String) throws {
        let server = try server()
        let peer = try #require(RawPeer(port: server.port))
        peer.send("\(method) /page?1 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
        let answer = String(decoding: try #require(peer.readToEnd()), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\n"))
        #expect(answer.contains("allow: GET, HEAD, POST, DELETE\r\n"))
        #expect(answer.hasSuffix("}"))
    }

    @Test("The handler gets a POST that has a token and no body, and the connection then ends")
    func post() throws {
        let server = try TestServer { script in
            script.respond = { request in
                #expect(request.method == "POST" && request.path == "/a b")
                #expect(request.authorization == "Bearer t0ken")
                #expect(request.localAddress == "127.0.0.1" && request.localPort > 0)
                return HTTPResponse(status: 204)
            }
        }
        for length in ["", "Content-Length: 0\r\n"] {
            let peer = try #require(RawPeer(port: server.port))
            peer.send(
                "POST /a%20b HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer t0ken\r\n\(length)\r\n")
            let answer = String(decoding: try #require(peer.readToEnd()), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 204 No Content\r\n"))
            #expect(answer.contains("connection: close\r\n"))
        }
    }

    @Test(
        "A POST or DELETE with a body is answered with 413 without a call of the handler",
        arguments: ["POST", "DELETE"],
        [
            "Content-Length: 3\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ])
    func postedBody(_ method: String, _ rest: String) throws {
        let server = try TestServer { script in
            script.respond = { _ in
                Issue.record("the handler received a request with a body")
                return HTTPResponse(status: 204)
            }
        }
        let peer = try #require(RawPeer(port: server.port))
        peer.send("\(method) /page?1 HTTP/1.1\r\nHost: a\r\n\(rest)")
        let answer = String(decoding: try #require(peer.readToEnd()), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
        #expect(answer.hasSuffix("}"))
    }

    @Test("The connection is closed if the client requests it or uses HTTP/1.0")
    func closes() throws {
        let server = try server()
        for request in [
            "GET /page?70000 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            "GET /page?70000 HTTP/1.0\r\n\r\n",
            "GET /page?70000 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
        ] {
            let peer = try #require(RawPeer(port: server.port))
            peer.send(request)
            let answer = try #require(peer.readToEnd())
            #expect(answer.count > 70_000)
            #expect(
                String(decoding: answer.prefix(400), as: UTF8.self).contains("connection: close"))
        }
    }

    @Test(
        "A body header with a blank before its colon is refused, and the body is not a new request",
        arguments: ["Content-Length :", "Content-Length  :", "Transfer-Encoding\t:"],
        ["GET", "POST", "DELETE"])
    func blankLength(_ name: String, _ method: String) throws {
        let server = try server()
        let peer = try #require(RawPeer(port: server.port))
        let second = "GET /page?2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        peer.send(
            "\(method) /page?1 HTTP/1.1\r\nHost: a\r\n\(name) \(second.utf8.count)\r\n\r\n\(second)"
        )
        let answers = String(decoding: try #require(peer.readToEnd()), as: UTF8.self)
        #expect(answers.hasPrefix("HTTP/1.1 400 "))
        #expect(answers.ranges(of: "HTTP/1.1 ").count == 1)
    }

    @Test("Requests that arrive while a long answer is sent are answered after it")
    func pipelined() throws {
        let server = try server()
        let peer = try #require(RawPeer(port: server.port, receiveBufferBytes: 4_096))
        peer.send("GET /page?3000000 HTTP/1.1\r\nHost: a\r\n\r\n")
        peer.send("GET /page?3 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(peer.readAnswer().body.count == 3_000_000)
        #expect(peer.readAnswer().body == [0, 31, 62])
    }

    @Test("A connection may be upgraded to WebSocket after other requests were answered on it")
    func pageThenUpgrade() throws {
        let server = try server()
        let peer = try #require(RawPeer(port: server.port))
        peer.send("GET /page?150000 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(peer.readAnswer().body.count == 150_000)
        #expect(peer.upgrade().hasPrefix("HTTP/1.1 101 "))
        peer.sendFrame(Array("hi".utf8))
        #expect(peer.readFrame()?.text == "hi")
    }
}
