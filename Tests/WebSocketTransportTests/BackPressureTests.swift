import Testing
import Workbench

@testable import WebSocketTransport

@Suite(.ownThread) struct BackPressureTests {
    @Test("A connection is not writable while its peer does not read, and no frame is lost")
    func direct() throws {
        // Each byte of a frame is the frame's number. The handler sends frames as long as the
        // connection is writable, and the remaining frames when the connection becomes writable
        // again.
        let sent = Recorder<Int>()
        let stuck = Recorder<Int>()
        let total = 300
        let send: @Sendable (Connection) -> Void = { connection in
            while sent.all.count < total {
                guard connection.isWritable else {
                    stuck.record(sent.all.count)
                    connection.requestWritable()
                    return
                }
                let number = sent.all.count
                let frame = [UInt8](repeating: UInt8(number % 256), count: 50_000)
                var bytes = [UInt8](repeating: 0, count: Connection.headroom) + frame
                _ = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
                    unsafe connection.send(
                        UnsafeMutableBufferPointer(rebasing: buffer[Connection.headroom...]))
                }
                sent.record(number)
            }
            connection.close(code: 1_000, reason: "done")
        }
        let server = try TestServer { script in
            script.received = { _, _, connection in send(connection) }
            script.writable = { send($0) }
        }
        let peer = try #require(RawPeer(port: server.port, receiveBufferBytes: 4_096))
        _ = peer.upgrade()
        peer.sendFrame([97])
        #expect(stuck.waitUntil { !$0.isEmpty })
        let before = sent.all.count
        #expect(before < total)
        for number in 0..<total {
            let frame = peer.readFrame()
            #expect(frame?.payload == [UInt8](repeating: UInt8(number % 256), count: 50_000))
        }
        #expect(peer.readFrame()?.closeCode == 1_000)
        #expect(sent.all == Array(0..<total))
    }

    @Test("closeImmediately ends a connection at once if a frame is only partly sent")
    func shut() throws {
        let sent = Recorder<Bool>()
        let keys = Recorder<UInt64>()
        let server = try TestServer { script in
            script.received = { _, _, connection in
                var bytes = [UInt8](repeating: 120, count: Connection.headroom + 16_000_000)
                let isWhole = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
                    unsafe connection.send(
                        UnsafeMutableBufferPointer(rebasing: buffer[Connection.headroom...]))
                }
                keys.record(connection.key)
                sent.record(isWhole)
            }
        }
        let peer = try #require(RawPeer(port: server.port, receiveBufferBytes: 4_096))
        _ = peer.upgrade()
        peer.sendFrame([97])
        #expect(sent.waitUntil { $0 == [false] })
        let key = try #require(keys.all.first)
        let isThere = Recorder<Bool>()
        server.loop.post { [loop = server.loop] in
            isThere.record(loop.connection(key) != nil)
            loop.connection(key)?.closeImmediately(code: 4_102, reason: "overloaded")
            loop.closeCondemnedConnections()
            isThere.record(loop.connection(key) != nil)
        }
        #expect(isThere.waitUntil { $0 == [true, false] })
    }

    @Test("closeImmediately drops the queued frames, and the peer receives the close code")
    func shutQueue() throws {
        let server = try TestServer { script in
            script.received = { _, _, connection in
                for _ in 0..<100 { connection.enqueue([97], isBinary: false) }
                connection.closeImmediately(code: 4_102, reason: "overloaded")
            }
        }
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade()
        peer.sendFrame([97])
        var frames = 0
        while let frame = peer.readFrame(), frame.closeCode == nil { frames += 1 }
        #expect(frames < 100)
    }

    @Test("An echo server stops reading from a peer that does not read, and loses no data")
    func echo() throws {
        let received = Recorder<Int>()
        let server = try TestServer { script in
            script.received = { bytes, isBinary, connection in
                received.record(bytes.count)
                connection.enqueue(bytes, isBinary: isBinary)
            }
        }
        let peer = try #require(RawPeer(port: server.port, receiveBufferBytes: 65_536))
        _ = peer.upgrade()
        let count = 400
        let filler = [UInt8](repeating: 120, count: 60_000)
        var all: [UInt8] = []
        for number in 0..<count { all += RawPeer.frame(Array("\(number) ".utf8) + filler) }
        var sent = peer.send(all, from: 0, timeoutMs: 300)
        #expect(sent < all.count)
        #expect(received.all.count < count)
        // The peer has one thread and therefore reads and writes alternately.
        for number in 0..<count {
            sent = peer.send(all, from: sent, timeoutMs: 0)
            let frame = peer.readFrame()
            try #require(frame?.payload == Array("\(number) ".utf8) + filler)
        }
        #expect(received.all.count == count)
    }
}
