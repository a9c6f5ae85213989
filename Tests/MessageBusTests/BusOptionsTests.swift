import Testing
import Workbench

@testable import MessageBus

@Suite("Options of the bus")
struct BusOptionsTests {
    private func reason(_ change: (inout BusOptions) -> Void) -> String? {
        var options = BusOptions(name: "n", servers: ["nats://127.0.0.1:4222"])
        change(&options)
        do {
            try BusConnection.check(options)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("Addresses have a scheme and a host, and may have a port")
    func servers() throws {
        let hosts = [
            "nats://10.0.0.1:4222": "10.0.0.1", "nats://bus": "bus",
            "tls://bus-1.example.org:65535": "bus-1.example.org", "nats://[::1]:4222": "::1",
            "tls://[fe80::1]": "fe80::1",
        ]
        for (url, host) in hosts {
            let server = try BusServer(url)
            #expect(server.host == host)
            #expect(server.isSecure == url.hasPrefix("tls"))
        }
        let wrong = [
            "", "bus:4222", "http://bus", "nats://", "nats://:4222", "nats://bus:", "nats://bus:0",
            "nats://bus:65536", "nats://bus:+1", "nats://user:pass@bus", "nats://bus/",
            "nats://b us",
            "nats://[::1", "nats://[bus]", "nats://[::1]4222", "nats://bus:4222,nats://other",
        ]
        for url in wrong { #expect(throws: BusError.self, "\(url)") { try BusServer(url) } }
    }

    @Test("Options out of their ranges are refused with a sentence")
    func ranges() {
        #expect(reason { _ in } == nil)
        #expect(reason { $0.servers = [] } == "The bus needs 1 to 16 servers.")
        #expect(reason { $0.servers = Array(repeating: "nats://a", count: 16) } == nil)
        #expect(
            reason { $0.servers = Array(repeating: "nats://a", count: 17) }
                == "The bus needs 1 to 16 servers.")
        for time in [100, 60_000] { #expect(reason { $0.connectTimeoutMs = time } == nil) }
        for time in [99, 60_001, -1] {
            #expect(
                reason { $0.connectTimeoutMs = time }
                    == "The connect timeout must be 100 to 60,000 ms.")
        }
    }

    @Test("Files that are missing or have other contents are refused with their names")
    func files() throws {
        let text = try TemporaryFile("text", "this is neither a key nor a certificate\n")
        let missing = text.path + ".missing"
        let folder = try CertificateFolder()
        let pair = try folder.make("client")
        #expect(reason { $0.tls = .init(ca: folder.authority) } == nil)
        #expect(
            reason { $0.tls = .init(certificate: pair.certificate, key: pair.key) } == nil)
        for path in [text.path, missing] {
            #expect(reason { $0.tls = .init(ca: path) }?.contains(path) == true)
            #expect(reason { $0.credentials = .nkey(path) }?.contains(path) == true)
            #expect(
                reason { $0.tls = .init(certificate: path, key: pair.key) }?.contains(path) == true)
        }
        #expect(reason { $0.credentials = .file(missing) }?.contains(missing) == true)
        for tls in [BusOptions.TLS(certificate: pair.certificate), BusOptions.TLS(key: pair.key)] {
            #expect(
                reason { $0.tls = tls }
                    == "A certificate needs its key, and a key its certificate.")
        }
        let other = try folder.make("other")
        #expect(
            reason { $0.tls = .init(certificate: pair.certificate, key: other.key) } != nil)
    }

    @Test("The public key of an nkey is derived from its seed")
    func nkeys() throws {
        // The pair is an example of the documentation of NATS.
        let seed = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY"
        let key = try #require(NKey(seed: seed))
        #expect(key.publicText == "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4")
        #expect(NKey(file: Array("\n\(seed)\r\n".utf8))?.publicText == key.publicText)
        for _ in 0..<20 {
            let made = try UserKey()
            #expect(NKey(seed: made.seedText)?.publicText == made.publicText)
        }
        for index in seed.indices {
            var other = seed
            other.replaceSubrange(index...index, with: seed[index] == "A" ? "B" : "A")
            #expect(NKey(seed: other)?.publicText == nil, "\(other)")
        }
        #expect(NKey(seed: try UserKey(.account).seedText)?.publicText == nil)
        #expect(NKey(seed: "")?.publicText == nil)
        #expect(NKey(file: [])?.publicText == nil)
    }

    @Test("Names and passwords are escaped as in JSON")
    func escapes() {
        #expect(NATSSettings.escaped(#"a"b\c/ü"#) == #"a\"b\\c/ü"#)
        #expect(NATSSettings.escaped("\u{0}\t\u{1F}") == #"\u0000\u0009\u001f"#)
    }
}
