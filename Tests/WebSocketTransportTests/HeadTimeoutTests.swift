import Synchronization
import Testing
import Workbench

@testable import WebSocketTransport

/// Request heads that arrive slowly, as in a slowloris attack.
@Suite(.ownThread) struct HeadTimeoutTests {
    private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Starts a server with this head timeout. Returns the time until the peer's connection ends,
    /// and the number of timeouts.
    private func measure(
        forMs timeoutMs: Int, _ send: (RawPeer) -> Void
    ) throws -> (ms: Int64, timeouts: Int) {
        let timeouts = Recorder<Bool>()
        var configuration = LoopConfiguration()
        configuration.headTimeoutMs = timeoutMs
        let server = try TestServer(configuration: configuration) { script in
            script.headTimedOut = { timeouts.record(true) }
        }
        let begin = MonotonicClock.nowMicroseconds
        let peer = try #require(RawPeer(port: server.port))
        send(peer)
        #expect(peer.readToEnd() != nil)
        return ((MonotonicClock.nowMicroseconds - begin) / 1_000, timeouts.all.count)
    }

    @Test("A silent connection ends at the head timeout, and not before")
    func silent() throws {
        let (ms, timeouts) = try measure(forMs: 300) { _ in }
        #expect(timeouts == 1)
        #expect(ms >= 299)
    }

    @Test("The head timeout also applies to a head that arrives byte by byte")
    func drip() throws {
        var sentCount = 0
        let most = 2_000
        let (_, timeouts) = try measure(forMs: 300) { peer in
            guard peer.send("GET / HTTP/1.1\r\nB: ") else { return }
            // Without the timeout, this loop would run for more than a minute.
            while sentCount < most, peer.send([97]) {
                sentCount += 1
                peer.wait(ms: 50)
            }
        }
        #expect(timeouts == 1)
        #expect(sentCount < most)
    }

    /// Returns a server with a stopped clock, and a function that advances the clock.
    private func standing(
        timeoutMs: Int, _ timeouts: Recorder<Bool> = Recorder()
    ) throws -> (TestServer, pass: (Int64) -> Void) {
        var configuration = LoopConfiguration()
        configuration.headTimeoutMs = timeoutMs
        let server = try TestServer(configuration: configuration) { script in
            script.headTimedOut = { timeouts.record(true) }
            script.bodyDecision = { _ in .read(bytesMax: 100) }
        }
        let passed = StandingClock()
        _ = server.onLoop { $0.clock = { passed.microseconds } }
        return (
            server,
            { ms in
                passed.pass(ms)
                _ = server.onLoop { $0.headTimerFired() }
            }
        )
    }

    /// A clock that the tests advance.
    private final class StandingClock: Sendable {
        private let value = Mutex<Int64>(0)

        var microseconds: Int64 { value.withLock { $0 } }

        func pass(_ ms: Int64) { value.withLock { $0 += ms * 1_000 } }
    }

    @Test("A head that is complete in time is answered, and the next head has its own timeout")
    func inTime() throws {
        let timeouts = Recorder<Bool>()
        let (server, pass) = try standing(timeoutMs: 400_000, timeouts)
        let peer = try #require(RawPeer(port: server.port))
        for _ in 0..<3 {
            #expect(eventually { server.onLoop { $0.headDeadlines.nextDue() != nil } == true })
            pass(399_999)
            peer.send(Self.request)
            #expect(peer.readAnswer().head.hasPrefix("HTTP/1.1 404 "))
        }
        #expect(eventually { server.onLoop { $0.headDeadlines.nextDue() != nil } == true })
        pass(399_999)
        #expect(timeouts.all.isEmpty)
        pass(1)
        #expect(peer.readToEnd()?.isEmpty == true)
        #expect(timeouts.all.count == 1)
    }

    /// Whether the server awaits only a body, and no head.
    private func awaitsBody(_ server: TestServer) -> Bool {
        eventually {
            server.onLoop { $0.watched.isEmpty && $0.headDeadlines.nextDue() != nil } == true
        }
    }

    @Test("At the timeout, a connection with an incomplete body ends, even if bytes still arrive")
    func slowBody() throws {
        let timeouts = Recorder<Bool>()
        let (server, pass) = try standing(timeoutMs: 400_000, timeouts)
        let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n"
        for part in ["", "a", "ab"] {
            let peer = try #require(RawPeer(port: server.port))
            #expect(eventually { server.onLoop { $0.headDeadlines.nextDue() != nil } == true })
            pass(399_999)
            peer.send(head)
            #expect(awaitsBody(server))
            for byte in part.utf8 {
                pass(100_000)
                peer.send([byte])
            }
            pass(399_999 - Int64(part.utf8.count) * 100_000)
            let before = timeouts.all.count
            pass(1)
            #expect(timeouts.all.count == before + 1)
            #expect(peer.readToEnd() == [])
        }
    }

    @Test("A body that is complete in time is answered")
    func bodyInTime() throws {
        let timeouts = Recorder<Bool>()
        let (server, pass) = try standing(timeoutMs: 400_000, timeouts)
        let peer = try #require(RawPeer(port: server.port))
        peer.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nab")
        #expect(awaitsBody(server))
        pass(399_999)
        peer.send("c")
        #expect(peer.readAnswer().head.hasPrefix("HTTP/1.1 404 "))
        #expect(peer.readToEnd() == [])
        pass(400_000)
        #expect(timeouts.all.isEmpty)
    }

    @Test("An upgraded connection has no head timeout")
    func open() throws {
        let (server, pass) = try standing(timeoutMs: 200_000)
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade()
        pass(500_000)
        peer.sendFrame([97])
        #expect(peer.readFrame()?.text == "a")
    }

    @Test("The timeout can be changed at run time, and earlier connections keep the old one")
    func changed() throws {
        let server = try TestServer()
        let old = try #require(RawPeer(port: server.port))
        #expect(eventually { server.onLoop { $0.headDeadlines.isEmpty } == false })
        _ = server.onLoop { loop in
            loop.setHeadTimeout(ms: 100)
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
