import MessageBus
import Testing
import Workbench

@Suite(
    "Identity of a connection to the bus", .limit,
    .enabled(if: NATSServer.isInstalled, "nats-server is not installed: run scripts/setup"))
struct BusIdentityTests {
    private func recorder(
        _ server: NATSServer, _ credentials: BusOptions.Credentials, tls: BusOptions.TLS? = nil
    ) throws -> BusRecorder {
        var options = BusOptions(name: "test", servers: [server.url])
        options.credentials = credentials
        options.tls = tls
        return try BusRecorder(options)
    }

    /// Checks that no connection comes about, and returns the reason.
    private func refusal(of bus: BusRecorder) async throws -> String {
        #expect(await becomesTrue { !bus.failures.isEmpty })
        #expect(bus.connectedServers.isEmpty)
        return try #require(bus.failures.first)
    }

    @Test("A user with a password is let in, also with characters that JSON escapes")
    func password() async throws {
        let server = try NATSServer(
            #"authorization { user: "re\"fresh", password: "p\\a\"ss\tword" }"#)
        let bus = try recorder(server, .password(user: "re\"fresh", password: "p\\a\"ss\tword"))
        #expect(await bus.connects())
    }

    @Test("A wrong password is reported, and replaced credentials of the server are accepted")
    func wrongPassword() async throws {
        let server = try NATSServer(#"authorization { user: "refresh", password: "other" }"#)
        let bus = try recorder(server, .password(user: "refresh", password: "mine"))
        let reason = try await refusal(of: bus)
        #expect(reason.contains("Authorization Violation"), "\(reason)")
        #expect(!reason.contains("mine"))
        // libnats itself would give up after the second refusal.
        #expect(await becomesTrue { server.log.split(separator: "authentication error").count > 3 })
        #expect(bus.failures == [reason])
        server.stop()
        try server.configure(#"authorization { user: "refresh", password: "mine" }"#)
        try server.start()
        #expect(await bus.connects())
    }

    @Test("A missing permission for a subject is reported, and the user stays connected")
    func permissions() async throws {
        let server = try NATSServer(
            """
            authorization { users: [ { user: "a", password: "b",
                permissions: { publish: ["yes"], subscribe: ["yes"] } } ] }
            """)
        let bus = try recorder(server, .password(user: "a", password: "b"))
        #expect(await bus.connects())
        #expect(bus.publish("x", to: "no"))
        #expect(await becomesTrue { bus.failures.count == 1 })
        try bus.connection.subscribe("never")
        #expect(await becomesTrue { bus.failures.count == 2 })
        #expect(bus.failures[0].contains("Permissions Violation for Publish to"))
        #expect(bus.failures[1].contains("Permissions Violation for Subscription to"))
        #expect(bus.publish("x", to: "yes"))
        #expect(bus.disconnections.isEmpty)
    }

    @Test("The holder of an nkey is let in, and the holder of another one is not")
    func nkey() async throws {
        let keys = try (0..<2).map { _ in try UserKey() }
        let server = try NATSServer("authorization { users: [ { nkey: \(keys[0].publicText) } ] }")
        let files = try keys.map { try TemporaryFile("user.nk", "\($0.seedText)\n") }
        let bus = try recorder(server, .nkey(files[0].path))
        #expect(await bus.connects())
        let other = try recorder(server, .nkey(files[1].path))
        let reason = try await refusal(of: other)
        #expect(reason.contains("Authorization Violation"), "\(reason)")
        // The file is read again for the next attempt.
        try files[1].write("\(keys[0].seedText)\n")
        #expect(await other.connects())
    }

    @Test("The holder of a credentials file is let in, and the holder of a foreign one is not")
    func credentials() async throws {
        let accounts = try (0..<2).map { _ in try TokenAuthority() }
        let server = try NATSServer(accounts[0].serverConfiguration)
        let files = try accounts.map { try TemporaryFile("user.creds", $0.userCredentials()) }
        let bus = try recorder(server, .file(files[0].path))
        #expect(await bus.connects())
        let other = try recorder(server, .file(files[1].path))
        let reason = try await refusal(of: other)
        #expect(reason.contains("Authorization Violation"), "\(reason)")
    }

    @Test("TLS: the certificate must be of the authority and for the host; clients may need one")
    func tls() async throws {
        let certificates = try CertificateFolder()
        let pair = try certificates.make("server")
        let client = try certificates.make("client")
        let configuration = """
            tls { cert_file: "\(pair.certificate)", key_file: "\(pair.key)", \
            ca_file: "\(certificates.authority)", verify: true, timeout: 10 }
            """
        let server = try NATSServer(configuration)
        let identity = BusOptions.TLS(
            ca: certificates.authority, certificate: client.certificate, key: client.key)
        let one = try recorder(server, .none, tls: identity)
        let two = try recorder(server, .none, tls: identity)
        try two.connection.subscribe("a")
        #expect(await one.connects())
        #expect(await two.connects())
        #expect(await one.reaches(two, by: "a"))
        #expect(one.connection.publish([UInt8](repeating: 0x62, count: 1 << 20), to: "a"))
        #expect(await becomesTrue { two.messages.last?.utf8.count == 1 << 20 })

        let anonymous = try recorder(server, .none, tls: .init(ca: certificates.authority))
        _ = try await refusal(of: anonymous)
        let stranger = try CertificateFolder()
        let distrusting = try recorder(
            server, .none,
            tls: .init(ca: stranger.authority, certificate: client.certificate, key: client.key))
        let reason = try await refusal(of: distrusting)
        #expect(reason.contains("certificate"), "\(reason)")
        var misnamed = BusOptions(name: "test", servers: ["tls://localhost:\(server.port)"])
        misnamed.tls = identity
        let elsewhere = try await refusal(of: try BusRecorder(misnamed))
        #expect(elsewhere.contains("hostname mismatch"), "\(elsewhere)")
    }

    /// The test's authority is not one of the system. So the host, which is also checked, has no
    /// part in this refusal.
    @Test("A server that requires TLS is refused if the options do not, and the reason says so")
    func unexpectedTLS() async throws {
        let certificates = try CertificateFolder()
        let pair = try certificates.make("server")
        let server = try NATSServer(NATSServer.tls(pair))
        let plain = try await refusal(of: try recorder(server, .none))
        #expect(plain.contains("The server requires TLS: write tls://."), "\(plain)")
    }

    @Test("A server without TLS is refused if the options require TLS")
    func missingTLS() async throws {
        let certificates = try CertificateFolder()
        let open = try NATSServer()
        let secure = try recorder(open, .none, tls: .init(ca: certificates.authority))
        _ = try await refusal(of: secure)
    }

    @Test("Over TLS, a storm of messages in both directions loses no connection and no message")
    func storm() async throws {
        let certificates = try CertificateFolder()
        let server = try NATSServer(NATSServer.tls(try certificates.make("server")))
        let tls = BusOptions.TLS(ca: certificates.authority)
        let buses = try [recorder(server, .none, tls: tls), recorder(server, .none, tls: tls)]
        for bus in buses {
            try bus.connection.subscribe("a")
            #expect(await bus.connects())
        }
        #expect(await buses[0].reaches(buses[1], by: "a"))
        #expect(await buses[1].reaches(buses[0], by: "a"))
        let count = 2000
        for number in 0..<count {
            // Every hundredth message is large.
            let bytes = [UInt8](
                repeating: UInt8(truncatingIfNeeded: number),
                count: number % 100 == 0 ? 500_000 : 50)
            for bus in buses { #expect(bus.connection.publish(bytes, to: "a")) }
            if number % 100 == 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
        for bus in buses { #expect(bus.publish(".", to: "a")) }
        for bus in buses {
            #expect(await becomesTrue { bus.lastEvent == .received([0x2E], subject: "a") })
            let received = bus.events.count {
                if case .received(let bytes, _, _) = $0 { bytes.count >= 50 } else { false }
            }
            #expect(received == count)
            #expect(bus.disconnections.isEmpty)
            #expect(bus.failures.isEmpty)
        }
    }

    @Test("An idle connection over TLS uses no processor", .ownThread)
    func idleTLS() async throws {
        let certificates = try CertificateFolder()
        let pair = try certificates.make("server")
        let server = try NATSServer(NATSServer.tls(pair))
        let bus = try recorder(server, .none, tls: .init(ca: certificates.authority))
        #expect(await bus.connects())
        #expect(!BusThreads.statFiles().isEmpty)
        #expect(fallsAsleep(BusThreads.statFiles()))
    }
}
