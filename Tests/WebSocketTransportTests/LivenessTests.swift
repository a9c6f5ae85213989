import Testing
import Workbench

@testable import WebSocketTransport

@Suite(.ownThread) struct LivenessTests {
    @Test("A silent peer is pinged; one that answers stays, one that does not is cut off")
    func silence() throws {
        let closed = Recorder<UInt64>()
        let server = try TestServer(
            configuration: LoopConfiguration(pingAfterMs: 100, hangUpAfterMs: 400)
        ) { script in script.closed = { closed.note($0.key) } }
        let silent = try #require(RawPeer(port: server.port))
        _ = silent.upgrade()
        let answering = try #require(RawPeer(port: server.port))
        _ = answering.upgrade()
        for _ in 0..<8 {
            let ping = try #require(answering.readFrame())
            #expect(ping.opcode == 9)
            answering.sendFrame(ping.payload, opcode: 10)
        }
        #expect(silent.readFrame()?.opcode == 9)
        #expect(silent.readFrame() == nil)
        #expect(closed.waitUntil { $0.count == 1 })
        answering.sendFrame(Array("here".utf8))
        var frame = answering.readFrame()
        while frame?.opcode == 9 { frame = answering.readFrame() }
        #expect(frame?.text == "here")
    }

    @Test("A peer that talks is never pinged")
    func talking() throws {
        let server = try TestServer(
            configuration: LoopConfiguration(pingAfterMs: 500, hangUpAfterMs: 1_000))
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade()
        let start = MonotonicClock.nowMicroseconds
        while MonotonicClock.nowMicroseconds - start < 1_200_000 {
            peer.sendFrame([97])
            #expect(peer.readFrame()?.opcode == 1)
        }
    }
}
