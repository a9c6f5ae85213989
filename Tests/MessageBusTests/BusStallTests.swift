import Glibc
import MessageBus
import Testing
import Workbench

@Suite(
    "Servers that stand still, and slow networks", .limit,
    .enabled(if: NATSServer.isInstalled, "nats-server is not installed: run scripts/setup"))
struct BusStallTests {
    private static let silence = "The server did not answer for about 3 s."

    /// A server, one connection to it, and one over a relay. Both receive the subject `a`.
    private struct Network {
        private let server: NATSServer
        private let certificates: CertificateFolder
        let relay: Relay
        /// The connection over the relay, and the other one.
        let near, far: BusRecorder

        init(isSecure: Bool) async throws {
            certificates = try CertificateFolder()
            server = try NATSServer(
                isSecure ? NATSServer.tls(try certificates.make("server")) : "")
            relay = try Relay(to: server.port)
            let tls = isSecure ? BusOptions.TLS(ca: certificates.authority) : nil
            let recorders = try [relay.port, server.port].map { port in
                var options = BusOptions(name: "test", servers: ["nats://127.0.0.1:\(port)"])
                options.tls = tls
                return try BusRecorder(options)
            }
            (near, far) = (recorders[0], recorders[1])
            for one in recorders {
                try one.connection.subscribe("a")
                #expect(await one.connects())
            }
            #expect(await far.reaches(near, by: "a"))
            #expect(await near.reaches(far, by: "a"))
        }
    }

    @Test("A server that falls silent in the middle of a TLS record is noticed and replaced")
    func incompleteRecord() async throws {
        let network = try await Network(isSecure: true)
        let (relay, near, far) = (network.relay, network.near, network.far)
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

    @Test("Bytes of a TLS record that has not arrived completely count as unread")
    func unreadBytes() async throws {
        let network = try await Network(isSecure: true)
        let (relay, near, far) = (network.relay, network.near, network.far)
        #expect(await becomesTrue { !near.connection.hasUnreadBytes })
        relay.mode = .stopsInPiece
        #expect(far.connection.publish([UInt8](repeating: 0x61, count: 200_000), to: "a"))
        #expect(await becomesTrue { near.connection.hasUnreadBytes })
        // The bytes are dropped with the connection.
        #expect(await becomesTrue { near.disconnections == [Self.silence] })
        relay.mode = .forwards
        #expect(await near.connects(2))
        #expect(await becomesTrue { !near.connection.hasUnreadBytes })
    }

    @Test("A connection in the middle of a TLS record is closed at once", .ownThread)
    func closesInRecord() async throws {
        let network = try await Network(isSecure: true)
        let (relay, near, far) = (network.relay, network.near, network.far)
        relay.mode = .stopsInPiece
        #expect(far.connection.publish([UInt8](repeating: 0x61, count: 200_000), to: "a"))
        #expect(await becomesTrue { if case .stopped = relay.mode { true } else { false } })
        let time = ContinuousClock().measure { near.connection.close() }
        #expect(time < .seconds(3) * patience)
    }

    @Test(
        "Messages that a slow network takes several seconds to send arrive, and lose no connection",
        arguments: [false, true])
    func slowNetwork(isSecure: Bool) async throws {
        let network = try await Network(isSecure: isSecure)
        let (relay, near, far) = (network.relay, network.near, network.far)
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
