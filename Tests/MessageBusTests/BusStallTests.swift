import Glibc
import MessageBus
import Testing
import Workbench

@Suite(
    "Servers that stand still, and slow networks", .limit,
    .enabled(if: NATSServer.isInstalled, "nats-server is not installed: run scripts/setup"))
struct BusStallTests {
    private static let silence = "The server did not answer for about 3 s."

    private func recorder(port: UInt16, _ certificates: CertificateFolder?) throws -> BusRecorder {
        var options = BusOptions(name: "test", servers: ["nats://127.0.0.1:\(port)"])
        options.tls = certificates.map { BusOptions.TLS(ca: $0.authority) }
        return try BusRecorder(options)
    }

    @Test("A server that falls silent in the middle of a TLS record is noticed and replaced")
    func incompleteRecord() async throws {
        let certificates = try CertificateFolder()
        let server = try NATSServer(NATSServer.tls(try certificates.make("server")))
        let relay = try Relay(to: server.port)
        let far = try recorder(port: server.port, certificates)
        let near = try recorder(port: relay.port, certificates)
        try near.connection.subscribe("a")
        #expect(await far.connects())
        #expect(await near.connects())
        #expect(await far.reaches(near, by: "a"))
        for round in 1...2 {
            relay.mode = .stopsInPiece
            #expect(far.connection.publish([UInt8](repeating: 0x61, count: 200_000), to: "a"))
            #expect(await becomesTrue { near.disconnections.count == round })
            relay.mode = .forwards
            #expect(await near.connects(round + 1))
            #expect(
                await becomesTrue {
                    far.publish("round \(round)", to: "a")
                    return near.messages.contains("round \(round)")
                })
        }
        #expect(near.disconnections == [Self.silence, Self.silence])
    }

    @Test("A connection in the middle of a TLS record is closed at once", .ownThread)
    func closesInRecord() async throws {
        let certificates = try CertificateFolder()
        let server = try NATSServer(NATSServer.tls(try certificates.make("server")))
        let relay = try Relay(to: server.port)
        let far = try recorder(port: server.port, certificates)
        let near = try recorder(port: relay.port, certificates)
        try near.connection.subscribe("a")
        #expect(await far.connects())
        #expect(await near.connects())
        #expect(await far.reaches(near, by: "a"))
        relay.mode = .stopsInPiece
        #expect(far.connection.publish([UInt8](repeating: 0x61, count: 200_000), to: "a"))
        #expect(await becomesTrue { if case .stopped = relay.mode { true } else { false } })
        let time = ContinuousClock().measure { near.connection.close() }
        #expect(time < .seconds(3) * patience)
    }

    @Test("A server that stands still for less than three seconds keeps its connections")
    func shortStop() async throws {
        let server = try NATSServer()
        let bus = try recorder(port: server.port, nil)
        #expect(await bus.connects())
        let clock = ContinuousClock()
        for pause in [2150, 2600] {
            let start = clock.now
            server.send(SIGSTOP)
            try await Task.sleep(for: .milliseconds(pause))
            server.send(SIGCONT)
            // A busy machine may sleep for longer.
            guard clock.now - start < .milliseconds(2900) else { return }
            try await Task.sleep(for: .milliseconds(1300))
            #expect(bus.disconnections.isEmpty)
        }
    }

    @Test(
        "Messages that a slow network takes several seconds to send arrive, and lose no connection",
        arguments: [false, true])
    func slowNetwork(isSecure: Bool) async throws {
        let certificates = try CertificateFolder()
        let server = try NATSServer(
            isSecure ? NATSServer.tls(try certificates.make("server")) : "")
        let relay = try Relay(to: server.port)
        let far = try recorder(port: server.port, isSecure ? certificates : nil)
        let near = try recorder(port: relay.port, isSecure ? certificates : nil)
        try far.connection.subscribe("a")
        #expect(await far.connects())
        #expect(await near.connects())
        #expect(await near.reaches(far, by: "a"))
        // 10 MB take five seconds.
        relay.mode = .slow(bytesPerMs: 2000)
        let message = [UInt8](repeating: 0x61, count: 200_000)
        for _ in 0..<50 { #expect(near.connection.publish(message, to: "a")) }
        #expect(near.publish("end", to: "a"))
        #expect(await becomesTrue { far.lastEvent == .received(Array("end".utf8), subject: "a") })
        #expect(far.events.count { $0 == .received(message, subject: "a") } == 50)
        #expect(near.disconnections.isEmpty)
        #expect(near.failures.isEmpty)
    }
}
