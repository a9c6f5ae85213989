import Testing
import Workbench

@testable import WebSocketTransport

@Suite(.ownThread) struct CloseTests {
    @Test("If the handler closes while it handles a message, the client gets code and reason")
    func insideMessage() throws {
        let closed = Recorder<UInt64>()
        let server = try TestServer { script in
            script.received = { _, _, connection in connection.close(code: 4_100, reason: "drain") }
            script.closed = { closed.record($0.key) }
        }
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade()
        peer.sendFrame(Array("a".utf8))
        peer.sendFrame(Array("b".utf8))
        let frame = peer.readFrame()
        #expect(frame?.opcode == 8)
        #expect(frame?.closeCode == 4_100)
        #expect(frame?.closeReason == "drain")
        peer.sendFrame([0x10, 0x04], opcode: 8)
        #expect(peer.readToEnd() == [])
        #expect(closed.waitUntil { $0.count == 1 })
        #expect(server.onLoop { $0.connectionCount } == 0)
    }

    @Test("Queued frames arrive before the close frame, and calls after close have no effect")
    func afterQueue() throws {
        let opened = Recorder<UInt64>()
        let server = try TestServer { script in script.opened = { opened.record($0.key) } }
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade()
        #expect(opened.waitUntil { $0.count == 1 })
        let key = try #require(opened.all.first)
        server.loop.post { [loop = server.loop] in
            guard let connection = loop.connection(key) else { return }
            for number in 0..<100 {
                connection.enqueue(Array("frame \(number)".utf8), isBinary: false)
            }
            connection.close(code: 4_200, reason: "later")
            connection.close(code: 4_000, reason: "too late")
            connection.enqueue(Array("never".utf8), isBinary: false)
        }
        for number in 0..<100 { #expect(peer.readFrame()?.text == "frame \(number)") }
        let close = peer.readFrame()
        #expect(close?.closeCode == 4_200)
        #expect(close?.closeReason == "later")
    }

    @Test("If the handler closes a connection in `opened`, the client gets the close code")
    func atOpening() throws {
        let server = try TestServer { script in
            script.opened = { $0.close(code: 4_001, reason: "not you") }
        }
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade()
        #expect(peer.readFrame()?.closeCode == 4_001)
    }

    @Test("A reason that does not fit into a close frame is truncated after a whole character")
    func longReason() throws {
        let server = try TestServer { script in
            script.received = { _, _, connection in
                connection.close(code: 4_002, reason: String(repeating: "é", count: 100))
            }
        }
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade()
        peer.sendFrame([97])
        #expect(peer.readFrame()?.closeReason == String(repeating: "é", count: 61))
    }

    @Test("After the handler has closed a connection, it gets no message of the connection")
    func nothingAfter() throws {
        let received = Recorder<[UInt8]>()
        let server = try TestServer { script in
            script.received = { bytes, _, connection in
                received.record(bytes)
                connection.close(code: 1_000, reason: "")
            }
        }
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade()
        peer.send((0..<10).flatMap { _ in RawPeer.frame([97]) })
        #expect(peer.readFrame()?.closeCode == 1_000)
        peer.sendFrame([0x03, 0xe8], opcode: 8)
        #expect(peer.readToEnd() == [])
        #expect(received.all == [[97]])
    }

    @Test("A client's close frame is answered with the same code, and reported once")
    func peerCloses() throws {
        let closed = Recorder<Int>()
        let server = try TestServer { script in script.closed = { closed.record($0.tag) } }
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade()
        peer.sendFrame([0x0f, 0xa0] + Array("bye".utf8), opcode: 8)
        let frame = peer.readFrame()
        #expect(frame?.opcode == 8)
        #expect(frame?.closeCode == 4_000)
        #expect(peer.readToEnd() == [])
        #expect(closed.waitUntil { $0 == [7] })
    }

    @Test("A close reason that is not UTF-8 is answered with 1007")
    func invalidReason() throws {
        let server = try TestServer()
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade()
        peer.sendFrame([0x03, 0xe8, 0xff], opcode: 8)
        #expect(peer.readFrame()?.closeCode == 1_007)
    }

    @Test("If a client disappears, its connection is reported as closed, and its key is invalid")
    func vanishes() throws {
        let opened = Recorder<UInt64>()
        let closed = Recorder<UInt64>()
        let server = try TestServer { script in
            script.opened = { opened.record($0.key) }
            script.closed = { closed.record($0.key) }
        }
        var peers = try (0..<3).map { _ in try #require(RawPeer(port: server.port)) }
        for peer in peers { _ = peer.upgrade() }
        #expect(opened.waitUntil { $0.count == 3 })
        peers = []
        #expect(closed.waitUntil { $0.count == 3 })
        #expect(Set(closed.all) == Set(opened.all))
        let next = try #require(RawPeer(port: server.port))
        _ = next.upgrade()
        #expect(opened.waitUntil { $0.count == 4 })
        #expect(Set(opened.all).count == 4)
        let keys = opened.all
        #expect(
            server.onLoop { loop in keys.map { loop.connection($0) != nil } }
                == [false, false, false, true])
    }

    @Test("Stopping a loop reports every open connection as closed, and the clients detect it")
    func stop() throws {
        let opened = Recorder<UInt64>()
        let closed = Recorder<UInt64>()
        // No other test listens at this address. At an address that other tests use, another server
        // could soon listen on the port.
        let host = "127.0.0.71"
        let server = try TestServer(host: host) { script in
            script.opened = { opened.record($0.key) }
            script.closed = { closed.record($0.key) }
        }
        let peers = try (0..<5).map { _ in try #require(RawPeer(host: host, port: server.port)) }
        for peer in peers { _ = peer.upgrade() }
        #expect(opened.waitUntil { $0.count == 5 })
        server.loop.stop()
        #expect(Set(closed.all) == Set(opened.all))
        for peer in peers { #expect(peer.readToEnd() == []) }
        #expect(eventually { RawPeer(host: host, port: server.port) == nil })
        #expect(!server.loop.post {})
    }
}
