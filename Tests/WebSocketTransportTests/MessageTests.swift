import Testing
import Workbench

@testable import WebSocketTransport

@Suite(.ownThread) struct MessageTests {
    @Test("Text and binary messages are echoed with their type")
    func echo() throws {
        let server = try TestServer()
        let peer = try #require(RawPeer(port: server.port))
        #expect(peer.upgrade().hasPrefix("HTTP/1.1 101 "))
        peer.sendFrame(Array("héllo".utf8))
        #expect(peer.readFrame() == .init(opcode: 1, isFinal: true, payload: Array("héllo".utf8)))
        peer.sendFrame([0, 255, 1], opcode: 2)
        #expect(peer.readFrame() == .init(opcode: 2, isFinal: true, payload: [0, 255, 1]))
        peer.sendFrame([])
        #expect(peer.readFrame() == .init(opcode: 1, isFinal: true, payload: []))
    }

    @Test(
        "A message of any size up to the limit arrives completely",
        arguments: [1, 125, 126, 1_023, 1_024, 1_025, 4_096, 65_535, 65_536])
    func sizes(_ size: Int) throws {
        let server = try TestServer()
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade()
        let payload = (0..<size).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        peer.sendFrame(payload)
        #expect(peer.readFrame()?.payload == payload)
    }

    @Test("Many messages sent at once are delivered one by one, in order")
    func pipelined() throws {
        let server = try TestServer()
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade()
        peer.send((0..<500).flatMap { RawPeer.frame(Array("message \($0)".utf8)) })
        for number in 0..<500 { #expect(peer.readFrame()?.text == "message \(number)") }
    }

    @Test("A fragmented message is delivered as one, also with a ping between its fragments")
    func fragments() throws {
        let server = try TestServer()
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade()
        peer.sendFrame([], isFinal: false)
        peer.sendFrame(Array("one ".utf8), opcode: 0, isFinal: false)
        peer.sendFrame(Array("now".utf8), opcode: 9)
        peer.sendFrame(Array("two".utf8), opcode: 0)
        let frames = [peer.readFrame(), peer.readFrame()].compactMap { $0 }
        #expect(frames.map(\.opcode).sorted() == [1, 10])
        #expect(frames.first { $0.opcode == 1 }?.text == "one two")
        #expect(frames.first { $0.opcode == 10 }?.text == "now")
    }

    @Test("The bytes of an incomplete message are reported as they arrive")
    func bufferedBytes() throws {
        let buffered = Recorder<Int>()
        let server = try TestServer { script in script.buffered = { buffered.record($0) } }
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade()
        peer.sendFrame([UInt8](repeating: 97, count: 20_000), isFinal: false)
        #expect(buffered.waitUntil { $0.reduce(0, +) == 20_000 })
        peer.sendFrame(Array("end".utf8), opcode: 0)
        #expect(peer.readFrame()?.payload.count == 20_003)
        #expect(buffered.all.reduce(0, +) == 20_000)
    }

    @Test("A character may be split between fragments, but not at the end of the message")
    func cutCharacter() throws {
        let server = try TestServer()
        let valid = try #require(RawPeer(port: server.port))
        _ = valid.upgrade()
        valid.sendFrame([0xe2, 0x82], isFinal: false)
        valid.sendFrame([0xac], opcode: 0)
        #expect(valid.readFrame()?.text == "€")
        let truncated = try #require(RawPeer(port: server.port))
        _ = truncated.upgrade()
        truncated.sendFrame([0xe2, 0x82], isFinal: false)
        truncated.sendFrame([], opcode: 0)
        #expect(truncated.readFrame()?.closeCode == 1_007)
    }

    @Test("Text that is not UTF-8 closes with 1007, but a binary message may contain any bytes")
    func invalidText() throws {
        let server = try TestServer()
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade()
        peer.sendFrame([0xff, 0xfe], opcode: 2)
        #expect(peer.readFrame()?.payload == [0xff, 0xfe])
        peer.sendFrame(Array("0123456789".utf8) + [0xc0, 0x80])
        #expect(peer.readFrame()?.closeCode == 1_007)
    }

    @Test("A message that is too long closes with 1009 at the fragment that exceeds the limit")
    func tooBig() throws {
        let received = Recorder<Int>()
        let server = try TestServer { script in
            script.admit = { _ in .accept(messageBytesMax: 3_000, tag: 0) }
            script.received = { bytes, _, _ in received.record(bytes.count) }
        }
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade()
        peer.sendFrame([UInt8](repeating: 97, count: 3_000))
        for part in 0..<4 {
            peer.sendFrame(
                [UInt8](repeating: 97, count: 1_000), opcode: part == 0 ? 1 : 0, isFinal: false)
        }
        let close = peer.readFrame()
        #expect(close?.opcode == 8)
        #expect(close?.closeCode == 1_009)
        #expect(received.all == [3_000])
    }

    @Test("An enormous length is refused when it is announced")
    func absurdLength() throws {
        let server = try TestServer()
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade()
        peer.sendFrame([97, 98, 99], announcing: .max)
        #expect(peer.readFrame()?.closeCode == 1_009)
    }

    @Test("A limit below the size of one fragment is also enforced")
    func tinyLimit() throws {
        let server = try TestServer { script in
            script.admit = { _ in .accept(messageBytesMax: 4, tag: 0) }
        }
        let peer = try #require(RawPeer(port: server.port))
        _ = peer.upgrade()
        peer.sendFrame(Array("four".utf8))
        #expect(peer.readFrame()?.text == "four")
        peer.sendFrame(Array("fives".utf8))
        #expect(peer.readFrame()?.closeCode == 1_009)
    }
}
