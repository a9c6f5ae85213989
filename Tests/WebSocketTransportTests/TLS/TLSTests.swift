import Glibc
import Testing
import Workbench

@testable import WebSocketTransport

@Suite(.ownThread) struct TLSTests {
    private static let files = Result { try CertificateFolder.untilExit() }

    private static func identity(
        _ name: String, _ kind: CertificateFolder.Kind = .curve
    ) throws -> TLSIdentity {
        let pair = try files.get().make(name, kind)
        return try TLSIdentity(certificate: pair.certificateBytes, key: pair.keyBytes)
    }

    private static func dialer() throws -> Dialer {
        try Dialer(trusting: TLSAuthorities(file: files.get().authority))
    }

    @Test(
        "Messages of all sizes are echoed over TLS, also if one TLS record contains several",
        arguments: [CertificateFolder.Kind.curve, .rsa])
    func echo(kind: CertificateFolder.Kind) throws {
        let server = try TestServer(identity: Self.identity("echo-\(kind)", kind)) { script in
            script.admit = { _ in .accept(messageBytesMax: 1 << 22, tag: 0) }
        }
        let dialer = try Self.dialer()
        defer { dialer.stop() }
        let client = try dialer.connectBlocking(server.url)
        let sizes = [
            0, 1, 125, 126, 1_023, 1_024, 1_025, 4_096, 16_383, 16_384, 16_385, 65_536, 1 << 20,
            1 << 21,
        ]
        for size in sizes {
            client.send([UInt8](repeating: UInt8(size & 0x7f), count: size), isBinary: true)
        }
        for size in sizes {
            let event = client.receiveBlocking(within: .patient)
            #expect(
                event
                    == .message([UInt8](repeating: UInt8(size & 0x7f), count: size), isBinary: true)
            )
        }
        client.close(code: 4_000, reason: "enough")
        guard case .closed(let code, let reason) = client.receiveBlocking(within: .patient)
        else {
            Issue.record("the connection was not closed")
            return
        }
        #expect(code == 4_000)
        #expect(reason == "enough")
    }

    @Test("A request over TLS is answered, and the handler learns that the request uses TLS")
    func encrypted() throws {
        let requests = Recorder<Bool>()
        let server = try TestServer(identity: Self.identity("asked")) { script in
            script.admit = {
                requests.record($0.isEncrypted)
                return .accept(messageBytesMax: 1_024, tag: 0)
            }
        }
        let dialer = try Self.dialer()
        defer { dialer.stop() }
        _ = try dialer.connectBlocking(server.url)
        #expect(requests.all == [true])
    }

    @Test(
        "A client that does not trust the authority or does not use TLS cannot connect"
    )
    func refused() throws {
        let server = try TestServer(identity: Self.identity("refused"))
        let untrusting = try Dialer(trusting: TLSAuthorities(file: CertificateFolder().authority))
        defer { untrusting.stop() }
        #expect(throws: DialFailure.self) { try untrusting.connectBlocking(server.url) }
        let peer = try #require(RawPeer(port: server.port))
        peer.send("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        let answer = try #require(peer.readToEnd())
        #expect(!String(decoding: answer, as: UTF8.self).contains("HTTP/"))
    }

    @Test("A dialer without authorities does not dial wss")
    func noAuthorities() throws {
        let dialer = try Dialer()
        defer { dialer.stop() }
        #expect(throws: DialFailure.urlInvalid("wss://127.0.0.1:1/")) {
            try dialer.connectBlocking("wss://127.0.0.1:1/")
        }
    }

    @Test("A loop with TLS listeners needs a TLS identity")
    func identityNeeded() throws {
        var socket = try ListeningSocket.open(host: "127.0.0.1", port: 0)
        socket.speaksTLS = true
        #expect(throws: TransportError.self) {
            try EventLoop(listeners: [socket]) { _ in ScriptHandler(.init()) }
        }
    }

    @Test("One loop serves a listener with TLS and a listener without TLS")
    func both() throws {
        let requests = Recorder<Bool>()
        var script = ScriptHandler.Script()
        script.admit = {
            requests.record($0.isEncrypted)
            return .accept(messageBytesMax: 1_024, tag: 0)
        }
        let ready = script
        var secured = try ListeningSocket.open(host: "127.0.0.1", port: 0)
        secured.speaksTLS = true
        let plain = try ListeningSocket.open(host: "127.0.0.1", port: 0)
        let loop = try EventLoop(listeners: [secured, plain], identity: Self.identity("both")) {
            _ in
            ScriptHandler(ready)
        }
        loop.start()
        defer { loop.stop() }
        let dialer = try Self.dialer()
        defer { dialer.stop() }
        for url in ["wss://127.0.0.1:\(secured.port)/", "ws://127.0.0.1:\(plain.port)/"] {
            let client = try dialer.connectBlocking(url)
            client.send("hello")
            #expect(client.receiveBlocking(within: .patient).text == "hello")
        }
        #expect(requests.all == [true, false])
    }
}
