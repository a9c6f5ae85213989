import Foundation
import Glibc
import Testing
import Workbench

/// A daemon whose certificate is replaced while it runs, tested with OpenSSL's client.
@Suite("Certificates and SIGHUP", .ownThread, .limit)
struct CertificateSignalTests {
    private static func arguments(_ port: Int, _ authority: CertificateFolder) -> [String] {
        [
            "openssl", "s_client", "-quiet", "-verify_return_error", "-CAfile",
            authority.authority, "-connect", "127.0.0.1:\(port)",
        ]
    }

    private static func request(_ port: Int, _ more: String = "") -> String {
        "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(more)\r\n"
    }

    /// Whether a client that trusts only this authority accepts the daemon's certificate.
    private static func sees(_ authority: CertificateFolder, at port: Int) throws -> Bool {
        let requestFile = try TemporaryFile("request", request(port, "Connection: close\r\n"))
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments(port, authority)
        process.standardInput = try FileHandle(forReadingFrom: URL(filePath: requestFile.path))
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        process.waitForStatus()
        return String(decoding: answer, as: UTF8.self).hasSuffix("ok\n")
    }

    /// A connection that stays open.
    private final class OpenConnection {
        private let port: Int
        private let process = Process()
        private let input = Pipe()
        private let output = Pipe()

        init(port: Int, _ authority: CertificateFolder) throws {
            self.port = port
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = arguments(port, authority)
            process.standardInput = input
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
        }

        deinit {
            process.terminate()
            process.waitForStatus()
        }

        /// Sends a request. Returns whether the answer has the status 200.
        func isServed() -> Bool {
            // Writing to a process that has ended would end the tests with SIGPIPE.
            guard process.isRunning else { return false }
            input.fileHandleForWriting.write(Data(request(port).utf8))
            var answer = Data()
            while !String(decoding: answer, as: UTF8.self).contains("\r\n\r\n") {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { return false }
                answer.append(more)
            }
            return answer.starts(with: Data("HTTP/1.1 200 ".utf8))
        }
    }

    @Test(
        "After SIGHUP, new connections get the new certificate, and a broken file changes nothing"
    )
    func replaced() throws {
        let (old, new) = (try CertificateFolder(), try CertificateFolder())
        let (first, second) = (try old.make("old"), try new.make("new", .rsa))
        let certificate = try TemporaryFile("chain.pem")
        let key = try TemporaryFile("key.pem")
        func write(_ pair: CertificateFolder.Pair) throws {
            try certificate.write(pair.certificateBytes)
            try key.write(pair.keyBytes)
        }
        try write(first)
        let file = try Refreshd.configuration(
            """
            listen: 127.0.0.1:0
            loops: 2
            limits: { headTimeoutMs: 600000 }
            tls: { certificate: \(certificate.path), key: \(key.path) }
            """)
        defer { try? FileManager.default.removeItem(at: file) }
        let daemon = try RunningDaemon(["--config", file.path])
        let line = try #require(daemon.firstLine(), "\(daemon.log)")
        let announcement = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let port = try #require(announcement?["port"] as? Int)
        let open = try OpenConnection(port: port, old)
        #expect(open.isServed())
        #expect(try !Self.sees(new, at: port))

        try write(second)
        daemon.send(SIGHUP)
        #expect(daemon.logs("certificate replaced"))
        // Each loop applies the new certificate at its own time.
        #expect(try (0..<200).contains { _ in try Self.sees(new, at: port) })
        #expect(try !Self.sees(old, at: port))
        #expect(open.isServed())

        try key.write("-----BEGIN PRIVATE KEY-----\nbroken\n-----END PRIVATE KEY-----\n")
        daemon.send(SIGHUP)
        #expect(daemon.logs("reload refused"))
        #expect(daemon.logs("option=tls.key"))
        #expect(try Self.sees(new, at: port))
        #expect(open.isServed())
        #expect(!daemon.log.contains("broken"))
        daemon.send(SIGTERM)
        #expect(daemon.waitForEnd().status == 0)
    }
}
