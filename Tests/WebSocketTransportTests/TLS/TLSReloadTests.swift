import Testing
import Workbench

@testable import WebSocketTransport

@Suite(.ownThread) struct TLSReloadTests {
    /// Returns a dialer that trusts only this authority.
    private func dialer(_ files: CertificateFolder) throws -> Dialer {
        try Dialer(trusting: TLSAuthorities(file: files.authority))
    }

    private func identity(
        _ files: CertificateFolder, _ kind: CertificateFolder.Kind = .curve
    ) throws -> TLSIdentity {
        let pair = try files.make("own", kind)
        return try TLSIdentity(certificate: pair.certificateBytes, key: pair.keyBytes)
    }

    @Test(
        "Open connections keep the old certificate, and new connections get the new one",
        arguments: [CertificateFolder.Kind.curve, .rsa])
    func reload(kind: CertificateFolder.Kind) throws {
        // Each dialer trusts one authority, so a successful connection shows which certificate
        // the server has sent.
        let old = try CertificateFolder()
        let new = try CertificateFolder()
        let server = try TestServer(identity: identity(old))
        let oldFriend = try dialer(old)
        let newFriend = try dialer(new)
        defer {
            oldFriend.stop()
            newFriend.stop()
        }
        let stands = try oldFriend.connectBlocking(server.url)
        stands.send("before")
        #expect(stands.receiveBlocking(within: .patient).text == "before")
        #expect(throws: DialFailure.self) { try newFriend.connectBlocking(server.url) }
        let next = try identity(new, kind)
        _ = server.onLoop { $0.use(next) }
        for number in 0..<20 {
            stands.send("\(number)")
            #expect(stands.receiveBlocking(within: .patient).text == "\(number)")
        }
        let newcomer = try newFriend.connectBlocking(server.url)
        newcomer.send("hello")
        #expect(newcomer.receiveBlocking(within: .patient).text == "hello")
        // A ticket of an earlier TLS session does not let `oldFriend` connect.
        #expect(throws: DialFailure.self) { try oldFriend.connectBlocking(server.url) }
        stands.send("after")
        #expect(stands.receiveBlocking(within: .patient).text == "after")
    }

    @Test("A loop that was created without TLS cannot get it later")
    func withoutTLS() throws {
        let files = try CertificateFolder()
        let server = try TestServer()
        let next = try identity(files)
        _ = server.onLoop { $0.use(next) }
        let dialer = try Dialer()
        defer { dialer.stop() }
        let client = try dialer.connectBlocking(server.url)
        client.send("plain")
        #expect(client.receiveBlocking(within: .patient).text == "plain")
    }
}
