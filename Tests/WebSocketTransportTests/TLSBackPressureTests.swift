import Dispatch
import Glibc
import Testing
import Workbench

@testable import WebSocketTransport

@Suite(.ownThread) struct TLSBackPressureTests {
    /// A dialer whose thread can be held, so that it neither reads nor writes.
    private final class HeldDialer {
        let dialer: Dialer
        private let release = DispatchSemaphore(value: 0)

        init(_ files: CertificateFolder) throws {
            dialer = try Dialer(trusting: TLSAuthorities(file: files.authority))
        }

        deinit { dialer.stop() }

        func hold() {
            let isHeld = DispatchSemaphore(value: 0)
            dialer.run { [release] _ in
                isHeld.signal()
                release.wait()
            }
            isHeld.wait()
        }

        func letGo() { release.signal() }
    }

    private static var threadMicroseconds: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    /// The CPU time that a server's loop spends in so many milliseconds in which nothing should
    /// happen.
    private static func microsecondsSpent(by server: TestServer, inMs milliseconds: UInt32) throws
        -> Int64
    {
        let before = try #require(server.onLoop { _ in threadMicroseconds })
        usleep(milliseconds * 1_000)
        return try #require(server.onLoop { _ in threadMicroseconds }) - before
    }

    private static func server(
        _ files: CertificateFolder, _ change: (inout ScriptHandler.Script) -> Void
    ) throws -> TestServer {
        let pair = try files.make("own")
        return try TestServer(
            identity: TLSIdentity(certificate: pair.certificateBytes, key: pair.keyBytes), change)
    }

    @Test("Large frames wait for a client that does not read at no cost, and then come whole")
    func slowReader() throws {
        let files = try CertificateFolder()
        let count = 8
        let bytes = 1 << 20
        let server = try Self.server(files) { script in
            script.received = { _, _, connection in
                for number in 0..<count {
                    connection.enqueue(
                        [UInt8](repeating: UInt8(number), count: bytes), isBinary: true)
                }
            }
        }
        let held = try HeldDialer(files)
        let client = try held.dialer.connectBlocking(server.url)
        client.send("give")
        #expect(
            client.receiveBlocking(within: .patient(10))
                == .message([UInt8](repeating: 0, count: bytes), isBinary: true))
        held.hold()
        usleep(100_000)
        let spent = try Self.microsecondsSpent(by: server, inMs: 500)
        held.letGo()
        for number in 1..<count {
            #expect(
                client.receiveBlocking(within: .patient(10))
                    == .message([UInt8](repeating: UInt8(number), count: bytes), isBinary: true))
        }
        // Ten milliseconds are a fiftieth of a core; a loop that spins spends five hundred.
        #expect(spent < 10_000)
    }

    @Test(
        "An echo over TLS stops reading from a peer that does not read, at no cost, and loses nothing"
    )
    func flood() throws {
        let files = try CertificateFolder()
        let server = try Self.server(files) { script in
            script.admit = { _ in .accept(messageBytesMax: 1 << 20, tag: 0) }
        }
        let held = try HeldDialer(files)
        let client = try held.dialer.connectBlocking(server.url)
        let count = 400
        for number in 0..<count {
            client.send(
                [UInt8](repeating: UInt8(number & 0xff), count: 20_000 + number), isBinary: true)
        }
        usleep(20_000)
        held.hold()
        usleep(100_000)
        let spent = try Self.microsecondsSpent(by: server, inMs: 500)
        held.letGo()
        for number in 0..<count {
            #expect(
                client.receiveBlocking(within: .patient(10))
                    == .message(
                        [UInt8](repeating: UInt8(number & 0xff), count: 20_000 + number),
                        isBinary: true))
        }
        #expect(spent < 10_000)
    }

    @Test("A handshake that stops in the middle costs nothing")
    func halfHandshake() throws {
        let files = try CertificateFolder()
        let server = try Self.server(files) { _ in }
        let peer = try #require(RawPeer(port: server.port))
        // The beginning of a record of a handshake, of which the rest does not come.
        peer.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00])
        usleep(50_000)
        #expect(try Self.microsecondsSpent(by: server, inMs: 300) < 10_000)
    }
}
