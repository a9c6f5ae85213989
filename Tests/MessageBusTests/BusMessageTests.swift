import BusTesting
import Glibc
import MessageBus
import Testing
import Workbench

@Suite(
    "Messages of the bus", .limit,
    .enabled(if: NATSServer.isInstalled, "nats-server is not installed: run scripts/setup"))
struct BusMessageTests {
    @Test("A message arrives at the other subscribers of its subject, and not at its publisher")
    func publishes() async throws {
        let server = try NATSServer()
        let one = try BusRecorder(server)
        let two = try BusRecorder(server)
        for bus in [one, two] {
            try bus.connection.subscribe("a.all")
            #expect(await bus.connects())
        }
        try two.connection.subscribe("a.node.*")
        #expect(await one.reaches(two, by: "a.node.1"))
        #expect(one.publish("to all", to: "a.all"))
        #expect(one.publish("to one", to: "a.node.2"))
        #expect(one.publish("to no subscriber", to: "b.all"))
        #expect(one.publish("", to: "a.all"))
        #expect(await becomesTrue { ["", "to one"].allSatisfy(two.messages.contains) })
        let ping = BusEvent.received(Array("ping".utf8), subject: "a.node.1")
        let received = two.events.filter { $0 != ping }
        let toOne = BusEvent.received(Array("to one".utf8), subject: "a.node.2")
        #expect(received.filter { $0 == toOne }.count == 1)
        #expect(
            received.filter { $0 != toOne } == [
                .connected(server: server.url),
                .received(Array("to all".utf8), subject: "a.all"),
                .received([], subject: "a.all"),
            ])
        // A message of the other connection is the proof that nothing else is on its way.
        #expect(two.publish("answer", to: "a.all"))
        #expect(await becomesTrue { one.messages == ["answer"] })
    }

    @Test("A message of the maximum size arrives, and a larger one is refused with both sizes")
    func payloads() async throws {
        let server = try NATSServer("max_payload: 65536")
        let one = try BusRecorder(server)
        let two = try BusRecorder(server)
        // Nothing receives for this connection, so it does not connect.
        let idle = try BusConnection(BusOptions(name: "idle", servers: [server.url]))
        #expect(idle.payloadMax == 0)
        try two.connection.subscribe("a")
        #expect(await one.connects())
        #expect(await two.connects())
        #expect(one.connection.payloadMax == 65_536)
        #expect(await one.reaches(two, by: "a"))
        let largest = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        #expect(one.connection.publish(largest, to: "a"))
        #expect(await becomesTrue { two.events.contains(.received(largest, subject: "a")) })
        #expect(!one.connection.publish(largest + [0], to: "a"))
        #expect(
            await becomesTrue {
                one.failures == [
                    "The message of 65537 bytes to a is above the limit of the server, 65536 bytes."
                ]
            })
        #expect(one.disconnections.isEmpty)
        #expect(one.publish("goes on", to: "a"))
        #expect(await becomesTrue { two.messages.last == "goes on" })
    }

    @Test("10,000 messages of each of two subscriptions arrive in their order")
    func ordered() async throws {
        let server = try NATSServer()
        let one = try BusRecorder(server)
        let two = try BusRecorder(server)
        try two.connection.subscribe("even")
        try two.connection.subscribe("odd")
        #expect(await one.connects())
        #expect(await two.connects())
        #expect(await one.reaches(two, by: "even"))
        for number in 0..<20_000 {
            #expect(one.publish("\(number)", to: number % 2 == 0 ? "even" : "odd"))
        }
        #expect(await becomesTrue { two.count >= 20_000 && two.messages.contains("19999") })
        let numbers = two.messages.compactMap { Int($0) }
        #expect(numbers.count == 20_000)
        for rest in 0...1 {
            #expect(numbers.filter { $0 % 2 == rest } == (0..<10_000).map { 2 * $0 + rest })
        }
        #expect(two.failures.isEmpty)
    }

    @Test("Messages wait for a busy receiver, and none is lost unless the connection is lost")
    func slowReceiver() async throws {
        // The server itself must not end a connection that reads slowly.
        let server = try NATSServer("max_pending: 536870912")
        let gate = Gate()
        let slow = try BusListener(BusOptions(name: "slow", servers: [server.url])) { event in
            gate.handle(event)
        }
        try slow.connection.subscribe("a")
        let one = try BusRecorder(server)
        #expect(await one.connects())
        #expect(await becomesTrue { gate.isConnected })
        #expect(
            await becomesTrue {
                one.publish("ping", to: "a")
                return gate.messages > 0
            })
        let message = [UInt8](repeating: 0x61, count: 1 << 20)
        // The server has the messages for this connection when it has them for another one.
        let quick = try BusRecorder(server)
        try quick.connection.subscribe("a")
        #expect(await quick.connects())
        gate.block()
        for _ in 0..<40 { #expect(one.connection.publish(message, to: "a")) }
        #expect(
            await becomesTrue {
                quick.events.count { event in
                    if case .received(message, _, _) = event { true } else { false }
                } == 40
            })
        gate.open()
        // On a busy machine, the connection may end meanwhile, because nothing answers the pings.
        #expect(await becomesTrue { gate.largeMessages == 40 || gate.isDisconnected })
        #expect(gate.failures.isEmpty)
        slow.close()
    }

    @Test("When a full socket is written again, the bytes that waited do not count any more")
    func fullSocketEmpties() async throws {
        let server = try NATSServer("max_pending: 536870912")
        let bus = try BusRecorder(server)
        #expect(await bus.connects())
        let message = [UInt8](repeating: 0x61, count: 1 << 20)
        server.send(SIGSTOP)
        var accepted = 0
        while accepted < 200, bus.connection.publish(message, to: "a") { accepted += 1 }
        server.send(SIGCONT)
        // 64 MiB may wait with 512 bytes for each message, and some are in the buffers of the
        // kernel.
        #expect((63..<200).contains(accepted))
        #expect(await becomesTrue { bus.connection.publish(message, to: "a") })
    }

    @Test("Subjects that would break the protocol are refused")
    func subjects() async throws {
        let server = try NATSServer()
        let one = try BusRecorder(server)
        #expect(await one.connects())
        for subject in ["", ".", "a.", ".a", "a..b", "a b", "a\r\nPING", "a\u{0}", "a\u{7F}"] {
            #expect(throws: BusError.self) { try one.connection.subscribe(subject) }
            #expect(!one.publish("x", to: subject))
        }
        #expect(!one.publish("x", to: "a.*"))
        #expect(!one.publish("x", to: ">"))
        #expect(one.publish("x", to: "a.b-c_D.9"))
        #expect(one.disconnections.isEmpty)
    }
}
