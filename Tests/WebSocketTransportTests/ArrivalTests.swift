import Testing
import Workbench

@testable import WebSocketTransport

@Suite(.ownThread) struct ArrivalTests {
    /// The object that the handler of these tests assigns to each connection.
    private final class ContextObject: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    @Test("The handler is called at the accept and at the end of a connection without requests")
    func comeAndGo() throws {
        let arrived = Recorder<IncomingConnection>()
        let left = Recorder<Int>()
        let server = try TestServer { script in
            script.arrived = { arrival in
                arrived.record(arrival)
                return .accept(place: ContextObject(arrived.all.count))
            }
            script.left = { left.record(($0.object as? ContextObject)?.number ?? 0) }
        }
        var silent = RawPeer(port: server.port)
        #expect(arrived.waitUntil { $0.count == 1 })
        #expect(
            arrived.all.first
                == IncomingConnection(
                    peerAddress: "127.0.0.1", localAddress: "127.0.0.1", localPort: server.port))
        var open = RawPeer(port: server.port)
        #expect(open?.upgrade().hasPrefix("HTTP/1.1 101 ") == true)
        #expect(left.all.isEmpty)
        silent = nil
        #expect(left.waitUntil { $0 == [1] })
        open = nil
        #expect(left.waitUntil { $0 == [1, 2] })
        _ = (silent, open)
    }

    @Test("Each request contains the object that the handler assigned to its connection")
    func places() throws {
        let calls = Recorder<Int>()
        let arrivals = Recorder<Int>()
        let server = try TestServer { script in
            script.arrived = { _ in
                arrivals.record(0)
                return .accept(place: ContextObject(arrivals.all.count))
            }
            script.respond = { request in
                calls.record((request.place.object as? ContextObject)?.number ?? 0)
                return HTTPResponse(status: 204)
            }
            script.admit = { request in
                calls.record(((request.place.object as? ContextObject)?.number ?? 0) * 10)
                return .accept(messageBytesMax: 100, tag: 0)
            }
        }
        let first = try #require(RawPeer(port: server.port))
        for _ in 0..<2 {
            first.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(first.readAnswer().head.hasPrefix("HTTP/1.1 204 "))
        }
        let second = try #require(RawPeer(port: server.port))
        #expect(second.upgrade().hasPrefix("HTTP/1.1 101 "))
        #expect(calls.all == [1, 1, 20])
    }

    @Test("With acceptToRefuse, a connection gets one answer and is then closed")
    func heardOut() throws {
        let left = Recorder<Bool>()
        let server = try TestServer { script in
            script.arrived = { _ in .acceptToRefuse(place: nil) }
            script.left = { _ in left.record(true) }
            script.respond = { _ in HTTPResponse(status: 503, body: Array("full".utf8)) }
        }
        let peer = try #require(RawPeer(port: server.port))
        peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = peer.readAnswer()
        #expect(answer.head.hasPrefix("HTTP/1.1 503 "))
        #expect(answer.head.contains("connection: close"))
        #expect(peer.readToEnd()?.isEmpty == true)
        #expect(left.waitUntil { $0.count == 1 })
    }

    @Test("With closeImmediately, a connection is closed at once and connectionEnded is not called")
    func turnedAway() throws {
        let left = Recorder<Bool>()
        let server = try TestServer { script in
            script.arrived = { _ in .closeImmediately }
            script.left = { _ in left.record(true) }
        }
        let peer = try #require(RawPeer(port: server.port))
        #expect(peer.readToEnd()?.isEmpty == true)
        #expect(left.all.isEmpty)
    }
}
