import Testing
import Workbench

@testable import WebSocketTransport

/// Slow heads (slowloris).
@Suite(.ownThread) struct HeadTimeoutTests {
    private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    /// A server whose heads may take that long, what it cut, and how long `say` was heard,
    /// milliseconds.
    private func heard(
        forMs timeoutMs: Int, _ say: (RawPeer) -> Void
    ) throws -> (ms: Int64, cuts: Int) {
        let cuts = Recorder<Bool>()
        var configuration = LoopConfiguration()
        configuration.headTimeoutMs = timeoutMs
        let server = try TestServer(configuration: configuration) { script in
            script.headTimedOut = { cuts.note(true) }
        }
        let begin = MonotonicClock.nowMicroseconds
        let peer = try #require(RawPeer(port: server.port))
        say(peer)
        #expect(peer.readToEnd() != nil)
        return ((MonotonicClock.nowMicroseconds - begin) / 1_000, cuts.all.count)
    }

    @Test("A connection that says nothing is cut when its time is over, and not before")
    func silent() throws {
        let (ms, cuts) = try heard(forMs: 300) { _ in }
        #expect(cuts == 1)
        #expect(ms >= 299 && ms < 5_000)
    }

    @Test("A head that comes a byte at a time has no more time than any other")
    func drip() throws {
        let (ms, cuts) = try heard(forMs: 300) { peer in
            for byte in Self.request.utf8.prefix(20) {
                guard peer.send([byte]) else { return }
                peer.wait(ms: 50)
            }
        }
        #expect(cuts == 1)
        #expect(ms >= 299 && ms < 5_000)
    }

    @Test("A head that is whole in time is answered; the next one has its own time")
    func inTime() throws {
        let cuts = Recorder<Bool>()
        var configuration = LoopConfiguration()
        configuration.headTimeoutMs = 400
        let server = try TestServer(configuration: configuration) { script in
            script.headTimedOut = { cuts.note(true) }
        }
        let begin = MonotonicClock.nowMicroseconds
        let peer = try #require(RawPeer(port: server.port))
        for _ in 0..<3 {
            peer.wait(ms: 200)
            peer.send(Self.request)
            #expect(peer.readAnswer().head.hasPrefix("HTTP/1.1 404 "))
        }
        #expect(cuts.all.isEmpty)
        #expect(peer.readToEnd()?.isEmpty == true)
        #expect(cuts.all.count == 1)
        #expect(MonotonicClock.nowMicroseconds - begin >= 999_000)
    }

    @Test("A WebSocket has no such time any more")
    func open() throws {
        var configuration = LoopConfiguration()
        configuration.headTimeoutMs = 200
        let server = try TestServer(configuration: configuration)
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade()
        peer.wait(ms: 500)
        peer.sendFrame([97])
        #expect(peer.readFrame()?.text == "a")
    }

    @Test("The time can be changed while the loop runs; who came before keeps his")
    func changed() throws {
        let server = try TestServer()
        let old = try #require(RawPeer(port: server.port))
        #expect(eventually { server.onLoop { $0.headDeadlines.isEmpty } == false })
        _ = server.onLoop { loop in
            loop.awaitHeads(forMs: 100)
            return true
        }
        let new = try #require(RawPeer(port: server.port))
        new.send(Self.request)
        #expect(new.readAnswer().head.hasPrefix("HTTP/1.1 404 "))
        old.wait(ms: 300)
        old.send(Self.request)
        #expect(old.readAnswer().head.hasPrefix("HTTP/1.1 404 "))
    }
}
