import Foundation
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer

@Suite("Certificates of a daemon", .ownThread, .limit)
struct CertificateReloadTests {
    /// A daemon that uses TLS, with the files that it reads.
    private final class SecuredDaemon {
        let server: Server
        let settings: TLSSettings
        let recorder = LogRecorder()
        private let folder: URL

        init(_ pair: CertificateFolder.Pair) throws {
            folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            settings = TLSSettings(
                certificate: folder.appending(path: "chain.pem").path,
                key: folder.appending(path: "key.pem").path)
            try Self.write(pair, settings)
            var flags = ConfigurationFlags()
            flags.listeners = [try ListenAddress("127.0.0.1:0")]
            flags.loops = 2
            server = try Server(
                Self.configuration(in: folder, flags: flags), log: recorder.log)
            server.start()
        }

        private static func configuration(
            in folder: URL, flags: ConfigurationFlags
        ) throws(ConfigurationError) -> Configuration {
            let file = try ConfigurationFile(
                text: "tls: { certificate: chain.pem, key: key.pem }",
                path: folder.appending(path: "refreshd.yaml").path)
            return try Configuration(flags: flags, file: file)
        }

        /// Reloads as at SIGHUP: all files are read again, and applied or refused.
        func reload() throws(ConfigurationError) {
            var flags = ConfigurationFlags()
            flags.listeners = server.configuration.listeners
            flags.loops = 2
            try server.reload(Self.configuration(in: folder, flags: flags))
        }

        /// The number of replaced certificates in the log.
        var replacements: Int {
            recorder.lines.filter { $0.contains("certificate replaced") }.count
        }

        deinit {
            server.stop()
            try? FileManager.default.removeItem(at: folder)
        }

        func replace(by pair: CertificateFolder.Pair) throws { try Self.write(pair, settings) }

        var url: String { "wss://127.0.0.1:\(server.listeners.first?.port ?? 0)/v1/session" }

        private static func write(_ pair: CertificateFolder.Pair, _ settings: TLSSettings) throws {
            try Data(pair.certificateBytes).write(to: URL(filePath: settings.certificate))
            try Data(pair.keyBytes).write(to: URL(filePath: settings.key))
        }
    }

    /// Connects with a client that trusts only this authority. Returns whether the authority has
    /// signed the daemon's current certificate.
    private func isSeen(_ authority: CertificateFolder, by daemon: SecuredDaemon) throws -> Bool {
        let dialer = try Dialer(trusting: TLSAuthorities(file: authority.authority))
        defer { dialer.stop() }
        // Eight connections reach both loops.
        return try (0..<8).allSatisfy { _ in
            do throws(DialFailure) {
                _ = try dialer.connectBlocking(daemon.url)
                return true
            } catch {
                if case .unreachable = error { return false }
                throw error
            }
        }
    }

    @Test("After a reload, open sessions continue, and new connections get the new certificate")
    func reload() throws {
        let old = try CertificateFolder()
        let new = try CertificateFolder()
        let daemon = try SecuredDaemon(old.make("old"))
        let dialer = try Dialer(trusting: TLSAuthorities(file: old.authority))
        defer { dialer.stop() }
        let client = try dialer.connectBlocking(daemon.url)
        client.send(#"{"type":"hello","protocol":1}"#)
        #expect(client.receiveBlocking(within: .patient).text?.contains("welcome") == true)
        try daemon.replace(by: new.make("new", .rsa))
        #expect(try isSeen(old, by: daemon))
        try daemon.reload()
        #expect(daemon.replacements == 1)
        #expect(try isSeen(new, by: daemon))
        client.send(#"{"type":"ping","t":7}"#)
        #expect(client.receiveBlocking(within: .patient).text?.contains("pong") == true)
    }

    @Test("Invalid files change nothing")
    func refused() throws {
        let old = try CertificateFolder()
        let daemon = try SecuredDaemon(old.make("old"))
        let other = try old.make("other")
        let expired = try CertificateFolder().make("expired", .expired)
        let foreign = CertificateFolder.Pair(certificate: other.certificate, key: expired.key)
        for (pair, name, reason) in [
            (expired, "certificate", "has expired"),
            (foreign, "key", "does not match the certificate"),
        ] {
            try daemon.replace(by: pair)
            do throws(ConfigurationError) {
                try daemon.reload()
                Issue.record("the certificate was accepted")
            } catch {
                #expect(error.description.contains("tls.\(name): "))
                #expect(error.description.hasSuffix(reason))
            }
            #expect(try isSeen(old, by: daemon))
        }
        try FileManager.default.removeItem(atPath: daemon.settings.key)
        #expect(throws: ConfigurationError.self) { try daemon.reload() }
        #expect(try isSeen(old, by: daemon))
        #expect(daemon.replacements == 0)
    }

    @Test("The log reports a replaced certificate only if it has changed")
    func unchanged() throws {
        let folder = try CertificateFolder()
        let daemon = try SecuredDaemon(folder.make("one"))
        try daemon.reload()
        #expect(daemon.replacements == 0)
        try daemon.replace(by: folder.make("two"))
        try daemon.reload()
        try daemon.reload()
        #expect(daemon.replacements == 1)
    }

    @Test("A daemon that uses TLS announces an https URL in its first line")
    func announced() throws {
        let daemon = try SecuredDaemon(CertificateFolder().make("own"))
        #expect(daemon.server.announcement.contains(#""url":"https://127.0.0.1:"#))
        #expect(!daemon.server.announcement.contains("http://"))
    }

    @Test("`isKeyExposed` states whether other users may read the key file")
    func exposed() throws {
        let pair = try CertificateFolder().make("own")
        let settings = TLSSettings(certificate: pair.certificate, key: pair.key)
        let file = try TemporaryFile("key.pem", "key")
        for (mode, isExposed) in [(0o600, false), (0o400, false), (0o640, true), (0o604, true)] {
            try FileManager.default.setAttributes(
                [.posixPermissions: mode], ofItemAtPath: file.path)
            let other = TLSSettings(certificate: settings.certificate, key: file.path)
            #expect(other.isKeyExposed == isExposed)
        }
    }
}
