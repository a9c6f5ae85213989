import Testing
import Workbench

@testable import WebSocketTransport

@Suite(.ownThread) struct LivenessTests {
    @Test("A silent peer is pinged, and its connection is cut if it does not answer")
    func silence() throws {
        let closed = Recorder<UInt64>()
        let server = try TestServer(
            configuration: Self.untimed
        ) { script in script.closed = { closed.record($0.key) } }
        let silent = try #require(RawPeer(port: server.port))
        _ = silent.upgrade()
        let answering = try #require(RawPeer(port: server.port))
        _ = answering.upgrade()
        for round in 0..<8 {
            Self.pass(ms: round == 0 ? 1_000_000 : 250_000, on: server)
            let ping = try #require(answering.readFrame())
            #expect(ping.opcode == 9)
            answering.sendFrame(ping.payload, opcode: 10)
            let isHeard = eventually {
                server.onLoop { loop in
                    loop.connections.all.contains { $0.lastActivityMs == loop.coarseMs }
                } == true
            }
            #expect(isHeard)
            if round < 7 { Self.pass(ms: 750_000, on: server) }
        }
        #expect(silent.readFrame()?.opcode == 9)
        #expect(silent.readFrame() == nil)
        #expect(closed.waitUntil { $0.count == 1 })
        answering.sendFrame(Array("here".utf8))
        #expect(answering.readFrame()?.text == "here")
    }

    @Test("The loop's own clock detects a silent peer")
    func itself() throws {
        let closed = Recorder<UInt64>()
        let server = try TestServer(
            configuration: LoopConfiguration(pingAfterMs: 100, hangUpAfterMs: 400)
        ) { script in script.closed = { closed.record($0.key) } }
        let silent = try #require(RawPeer(port: server.port))
        _ = silent.upgrade()
        #expect(silent.readFrame()?.opcode == 9)
        #expect(silent.readFrame() == nil)
        #expect(closed.waitUntil { $0.count == 1 })
    }

    /// With this configuration the loop's own ticks do not matter, because they occur every 40
    /// seconds.
    private static let untimed = LoopConfiguration(
        pingAfterMs: 1_000_000, hangUpAfterMs: 4_000_000)

    /// Makes all peers of the first loop silent for `ms` more milliseconds, and then checks each of
    /// their connections.
    private static func pass(ms: UInt32, on server: TestServer) {
        _ = server.onLoop { loop in
            loop.coarseMs &+= ms
            for connection in loop.connections.all {
                unsafe connection.checkLiveness(
                    nowMs: loop.coarseMs, pingBuffer: loop.pingBuffer)
            }
        }
    }

    @Test("A peer that sends messages is never pinged")
    func talking() throws {
        let server = try TestServer(
            configuration: Self.untimed)
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade()
        for _ in 0..<10 {
            peer.sendFrame([97])
            #expect(peer.readFrame()?.opcode == 1)
            Self.pass(ms: 900_000, on: server)
        }
    }

    @Test("Silence is ignored while reading is paused, and counts again afterwards")
    func heldBack() throws {
        let closed = Recorder<UInt64>()
        let opened = Recorder<UInt64>()
        let server = try TestServer(
            configuration: LoopConfiguration(pingAfterMs: 50, hangUpAfterMs: 150)
        ) { script in
            script.opened = { connection in
                if opened.all.isEmpty { connection.setReadingPaused(true) }
                opened.record(connection.key)
            }
            script.closed = { closed.record($0.key) }
        }
        let quiet = try #require(RawPeer(port: server.port))
        _ = quiet.upgrade()
        let silent = try #require(RawPeer(port: server.port))
        _ = silent.upgrade()
        // `quiet` has been silent for longer than `silent`, but reading from it is paused.
        #expect(closed.waitUntil { $0.count == 1 })
        quiet.wait(ms: 400)
        let keys = opened.all
        #expect(closed.all == [keys[1]])
        server.loop.post { [loop = server.loop] in loop.connection(keys[0])?.setReadingPaused(false)
        }
        #expect(closed.waitUntil { $0 == [keys[1], keys[0]] })
    }

    @Test("If the handler limits its wait for writability, the peer's silence is ignored")
    func boundedWait() throws {
        for isBounded in [true, false] {
            let closed = Recorder<UInt64>()
            let server = try TestServer(
                configuration: LoopConfiguration(pingAfterMs: 50, hangUpAfterMs: 150)
            ) { script in
                script.opened = { connection in
                    while connection.isWritable {
                        var bytes = [UInt8](repeating: 0, count: Connection.headroom + 50_000)
                        _ = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
                            unsafe connection.send(
                                UnsafeMutableBufferPointer(
                                    rebasing: buffer[Connection.headroom...]))
                        }
                    }
                    connection.requestWritable(isBounded: isBounded)
                }
                script.closed = { closed.record($0.key) }
            }
            let frozen = try #require(RawPeer(port: server.port, receiveBufferBytes: 4_096))
            frozen.sendUpgrade()
            if isBounded {
                frozen.wait(ms: 800)
                #expect(closed.all.isEmpty)
            } else {
                #expect(closed.waitUntil { $0.count == 1 })
            }
        }
    }
}
