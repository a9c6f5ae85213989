import Dispatch
import Foundation
import Glibc
import Testing
import Workbench

@testable import WebSocketTransport

@Suite(.ownThread) struct TLSBackPressureTests {
    /// A dialer whose thread can be blocked, so that it neither reads nor writes.
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

    /// Whether a server's loop becomes idle.
    private static func fallsAsleep(_ server: TestServer) throws -> Bool {
        let link = server.onLoop { _ in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        }
        let thread = try #require(link ?? nil)
        return Workbench.fallsAsleep(["/proc/\(thread)/stat"])
    }

    private static func server(
        _ files: CertificateFolder, _ change: (inout ScriptHandler.Script) -> Void
    ) throws -> TestServer {
        let pair = try files.make("own")
        return try TestServer(
            identity: TLSIdentity(certificate: pair.certificateBytes, key: pair.keyBytes), change)
    }

    @Test("Large frames wait without CPU use while the client does not read, and then arrive")
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
            client.receiveBlocking(within: .patient)
                == .message([UInt8](repeating: 0, count: bytes), isBinary: true))
        held.hold()
        let isAsleep = try Self.fallsAsleep(server)
        held.letGo()
        for number in 1..<count {
            #expect(
                client.receiveBlocking(within: .patient)
                    == .message([UInt8](repeating: UInt8(number), count: bytes), isBinary: true))
        }
        #expect(isAsleep)
    }

    @Test(
        "Over TLS, an echo server stops reading if its peer does not read, and uses no CPU time"
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
        held.hold()
        let isAsleep = try Self.fallsAsleep(server)
        held.letGo()
        for number in 0..<count {
            #expect(
                client.receiveBlocking(within: .patient)
                    == .message(
                        [UInt8](repeating: UInt8(number & 0xff), count: 20_000 + number),
                        isBinary: true))
        }
        #expect(isAsleep)
    }

    @Test("A handshake that stops in the middle uses no CPU time")
    func halfHandshake() throws {
        let files = try CertificateFolder()
        let server = try Self.server(files) { _ in }
        let peer = try #require(RawPeer(port: server.port))
        // The beginning of a handshake record, whose rest does not arrive.
        peer.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00])
        #expect(eventually { server.onLoop { !$0.headDeadlines.isEmpty } == true })
        #expect(try Self.fallsAsleep(server))
    }
}
