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
        #expect(await one.reaches(two, by: "a.all"))
        #expect(one.publish("to all", to: "a.all"))
        #expect(one.publish("to one", to: "a.node.2"))
        #expect(one.publish("to no subscriber", to: "b.all"))
        #expect(one.publish("", to: "a.all"))
        #expect(await becomesTrue { two.messages.last == "" })
        let received = two.events.filter { $0 != .received(Array("ping".utf8), subject: "a.all") }
        #expect(
            received == [
                .connected(server: server.url),
                .received(Array("to all".utf8), subject: "a.all"),
                .received(Array("to one".utf8), subject: "a.node.2"),
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
        #expect(one.connection.payloadMax == 0)
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

    @Test("10,000 messages arrive in their order, over both subscriptions of a connection")
    func ordered() async throws {
        let server = try NATSServer()
        let one = try BusRecorder(server)
        let two = try BusRecorder(server)
        try two.connection.subscribe("even")
        try two.connection.subscribe("odd")
        #expect(await one.connects())
        #expect(await two.connects())
        #expect(await one.reaches(two, by: "even"))
        for number in 0..<10_000 {
            #expect(one.publish("\(number)", to: number % 2 == 0 ? "even" : "odd"))
        }
        let last = BusEvent.received(Array("9999".utf8), subject: "odd")
        #expect(await becomesTrue { two.lastEvent == last })
        #expect(two.messages.filter { $0 != "ping" } == (0..<10_000).map { "\($0)" })
        #expect(two.failures.isEmpty)
    }

    @Test("If a handler falls behind, messages are lost, and the loss is reported")
    func slowHandler() async throws {
        // The server itself must not drop messages of a connection that reads slowly.
        let server = try NATSServer("max_pending: 536870912")
        let gate = Gate()
        let slow = try BusConnection(BusOptions(name: "slow", servers: [server.url])) { event in
            gate.handle(event)
        }
        try slow.subscribe("a")
        let one = try BusRecorder(server)
        #expect(await one.connects())
        #expect(await becomesTrue { gate.isConnected })
        #expect(
            await becomesTrue {
                one.publish("ping", to: "a")
                return gate.messages > 0
            })
        let message = [UInt8](repeating: 0x61, count: 1 << 20)
        // On a busy machine, the messages may arrive too late.
        for round in 1...10 where gate.failures.isEmpty {
            gate.block()
            var published = 0
            while published < 80 {
                if one.connection.publish(message, to: "a") { published += 1 }
                try await Task.sleep(for: .milliseconds(2))
            }
            // Other connections of the process wait for the gate as well.
            try await Task.sleep(for: .seconds(round))
            gate.open()
            let isComplete = { gate.largeMessages >= 80 * round }
            #expect(
                await becomesTrue { isComplete() || !gate.failures.isEmpty },
                "\(gate.largeMessages) of \(80 * round); \(gate.events); \(one.events)")
        }
        #expect(
            gate.failures == [
                "Received messages were dropped, because too many wait to be handled."
            ])
        slow.close()
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
