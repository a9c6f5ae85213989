import Synchronization
import Testing
import Workbench

@testable import WebSocketTransport

/// Bodies of requests that are pipelined or slow, or whose connection ends early.
@Suite(.ownThread) struct BodyFlowTests {
    @Test("Bytes after a body are not a second request", arguments: [2, 90_000])
    func excess(_ answerBytes: Int) throws {
        let requests = Recorder<HTTPRequest>()
        let server = try BodyTests.server(requests) { script in
            script.respond = { request in
                requests.record(request)
                return HTTPResponse(
                    status: 200, body: [UInt8](repeating: 97, count: answerBytes))
            }
        }
        for rest in [BodyTests.second, String(repeating: BodyTests.second, count: 500)] {
            for isLater in [false, true] {
                let peer = try #require(RawPeer(port: server.port))
                let before = requests.all.count
                peer.send(BodyTests.head(3) + "abc" + (isLater ? "" : rest))
                #expect(requests.waitUntil { $0.count > before })
                if isLater { peer.send(rest) }
                let answer = peer.readAnswer()
                #expect(answer.head.contains("connection: close\r\n"))
                #expect(answer.body.count == answerBytes)
            }
        }
        #expect(requests.all.map(\.path) == ["/take", "/take", "/take", "/take"])
    }

    @Test("A request with a body may be answered later, and bytes after the body are not read")
    func later() throws {
        let requests = Recorder<HTTPRequest>()
        let tickets = Recorder<HTTPTicket>()
        let server = try BodyTests.server(requests) { script in
            script.awaits = { request, ticket in
                requests.record(request)
                tickets.record(ticket)
                return true
            }
        }
        for (number, rest) in ["", BodyTests.second, BodyTests.second].enumerated() {
            let peer = try #require(RawPeer(port: server.port))
            peer.send(BodyTests.head(3) + (number < 2 ? "abc" + rest : ""))
            if number == 2 { peer.send("abc" + rest) }
            #expect(tickets.waitUntil { $0.count == number + 1 })
            let ticket = try #require(tickets.all.last)
            #expect(server.onLoop { $0.awaitedAnswers.count } == 1)
            _ = server.onLoop {
                $0.answer(ticket, with: HTTPResponse(status: 200, body: Array("late".utf8)))
            }
            #expect(peer.readAnswer().body == Array("late".utf8))
        }
        #expect(requests.all.map(\.body) == Array(repeating: Array("abc".utf8), count: 3))
        #expect(server.onLoop { $0.awaitedAnswers.isEmpty } == true)
    }

    @Test("A POST with a body is refused if it arrives together with an earlier request")
    func pipelined() throws {
        let requests = Recorder<HTTPRequest>()
        let server = try BodyTests.server(requests)
        for text in [
            BodyTests.head(3) + "abc", BodyTests.head(3) + "abc" + BodyTests.second,
            BodyTests.head(3), BodyTests.head(1_000) + "abc",
            "GET /take HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
        ] {
            let peer = try #require(RawPeer(port: server.port))
            peer.send(BodyTests.second + text)
            #expect(peer.readAnswer().head.hasPrefix("HTTP/1.1 200 "))
            let rest = String(decoding: try #require(peer.readToEnd()), as: UTF8.self)
            #expect(rest.hasPrefix("HTTP/1.1 400 "), "\(rest)")
            #expect(rest.contains("\"code\":\"sentBeforeResponse\""))
            #expect(BodyTests.count(of: Array(rest.utf8)) == 1)
        }
        #expect(requests.all.allSatisfy { $0.path == "/second" })
    }

    @Test("A POST with a body may be sent after the answer to an earlier request")
    func kept() throws {
        let requests = Recorder<HTTPRequest>()
        let server = try BodyTests.server(requests)
        let peer = try #require(RawPeer(port: server.port))
        for _ in 0..<3 {
            peer.send(BodyTests.second)
            #expect(peer.readAnswer().head.hasPrefix("HTTP/1.1 200 "))
        }
        peer.send(BodyTests.head(3) + "abc")
        #expect(peer.readAnswer().body == Array("abc".utf8))
        #expect(peer.readToEnd() == [])
    }

    @Test(
        "A request with a body does not block the loop if it arrives with an earlier request",
        arguments: ["GET", "HEAD"])
    func blocked(_ method: String) throws {
        let requests = Recorder<HTTPRequest>()
        let server = try BodyTests.server(requests) { script in
            // The answer is longer than libwebsockets sends at once.
            script.respond = { _ in
                HTTPResponse(status: 200, body: [UInt8](repeating: 97, count: 1_000_000))
            }
        }
        let peer = try #require(RawPeer(port: server.port))
        peer.send(
            "HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n"
                + "\(method) /b HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabcdef")
        #expect(peer.readAnswer(hasBody: false).head.hasPrefix("HTTP/1.1 200 "))
        #expect(peer.readAnswer().head.hasPrefix("HTTP/1.1 400 "))
        #expect(server.onLoop { $0.connectionCount } == 0)
    }

    @Test("If a connection ends in the middle of a body, the handler does not get the request")
    func ended() throws {
        let requests = Recorder<HTTPRequest>()
        let left = Recorder<Bool>()
        let server = try BodyTests.server(requests) { script in
            script.left = { _ in left.record(true) }
        }
        for text in ["", "a", String(repeating: "a", count: 999)] {
            for round in 0..<20 {
                let before = left.all.count
                do {
                    let peer = try #require(RawPeer(port: server.port))
                    peer.send(BodyTests.head(1_000))
                    if round % 2 == 0 {
                        #expect(eventually { server.onLoop { $0.watched.isEmpty } == true })
                    }
                    peer.send(text)
                }
                #expect(left.waitUntil { $0.count > before })
            }
        }
        #expect(left.all.count == 60)
        #expect(requests.all.isEmpty)
        #expect(server.onLoop { $0.watched.isEmpty && $0.headDeadlines.nextDue() == nil } == true)
    }

    @Test("A loop can be stopped while it awaits bodies")
    func stopped() throws {
        let requests = Recorder<HTTPRequest>()
        let server = try BodyTests.server(requests)
        let peers = try (0..<10).map { number in
            let peer = try #require(RawPeer(port: server.port))
            peer.send(BodyTests.head(10) + String(repeating: "a", count: number))
            return peer
        }
        #expect(
            eventually { server.onLoop { $0.headDeadlines.nextDue() != nil } == true })
        server.loop.stop()
        for peer in peers { peer.send("aaaaaaaaaa") }
        #expect(requests.all.isEmpty)
        #expect(!server.loop.post {})
    }
}
