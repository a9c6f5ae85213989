import Foundation
import Testing
import Workbench

@testable import WebSocketTransport

/// Connections of the `openssl` command to a server.
@Suite(.ownThread) struct TLSNegotiationTests {
    private static func connect(_ server: TestServer, _ arguments: String...) throws -> String {
        let client = Process()
        client.executableURL = URL(filePath: "/usr/bin/env")
        client.arguments =
            ["openssl", "s_client", "-connect", "127.0.0.1:\(server.port)", "-ign_eof"] + arguments
        let input = Pipe()
        let output = Pipe()
        client.standardInput = input
        client.standardOutput = output
        client.standardError = output
        try client.run()
        try input.fileHandleForWriting.write(
            contentsOf: Data("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
        let text = output.fileHandleForReading.readDataToEndOfFile()
        client.waitForStatus()
        return String(decoding: text, as: UTF8.self)
    }

    private static func server() throws -> TestServer {
        let pair = try CertificateFolder().make("own")
        return try TestServer(
            identity: TLSIdentity(certificate: pair.certificateBytes, key: pair.keyBytes)
        ) { script in script.respond = { _ in HTTPResponse(status: 204) } }
    }

    @Test("HTTP/2 cannot be negotiated, whether it is offered alone or before HTTP/1.1")
    func protocols() throws {
        let server = try Self.server()
        let both = try Self.connect(server, "-alpn", "h2,http/1.1")
        #expect(both.contains("ALPN protocol: http/1.1"))
        #expect(both.contains("HTTP/1.1 204"))
        let one = try Self.connect(server, "-alpn", "h2")
        #expect(one.contains("No ALPN negotiated"))
        #expect(one.contains("HTTP/1.1 204"))
    }

    @Test("TLS 1.2 and 1.3 are supported, but no older version")
    func versions() throws {
        let server = try Self.server()
        for version in ["-tls1_2", "-tls1_3"] {
            #expect(try Self.connect(server, version).contains("HTTP/1.1 204"))
        }
        // A client with security level 0 supports the old versions.
        for version in ["-tls1", "-tls1_1"] {
            let output = try Self.connect(server, version, "-cipher", "DEFAULT:@SECLEVEL=0")
            #expect(!output.contains("HTTP/1.1 204"))
            #expect(output.contains("alert protocol version"))
        }
    }

    @Test("With TLS 1.2 only ciphers with forward secrecy are accepted; the whole chain is sent")
    func ciphers() throws {
        let server = try Self.server()
        #expect(
            !(try Self.connect(server, "-tls1_2", "-cipher", "AES128-SHA").contains("HTTP/1.1 204"))
        )
        let output = try Self.connect(server, "-tls1_2", "-showcerts")
        #expect(output.contains("ECDHE"))
        #expect(output.components(separatedBy: "BEGIN CERTIFICATE").count == 3)
    }
}
