import MessageBus
import Testing
import Workbench

@Suite(
    "Queue groups and reply subjects", .limit,
    .enabled(if: NATSServer.isInstalled, "nats-server is not installed: run scripts/setup"))
struct BusGroupTests {
    @Test("Of a queue group, one subscriber receives each message, with its reply subject")
    func group() async throws {
        let server = try NATSServer()
        let publisher = try BusRecorder(server)
        let members = [try BusRecorder(server), try BusRecorder(server)]
        for member in members {
            try member.connection.subscribe("work.a%2Eb", group: "workers")
            try member.connection.subscribe("all")
        }
        for bus in members + [publisher] { #expect(await bus.connects()) }
        for member in members { #expect(await publisher.reaches(member, by: "all")) }
        let envelope = BusEnvelope(replySubject: "node.1.load.2")
        for number in 0..<200 {
            let bytes = Array("\(number)".utf8)
            #expect(publisher.connection.publish(bytes, to: "work.a%2Eb", envelope))
        }
        let received = { members.flatMap { $0.events.filter(Self.isWork) } }
        #expect(await becomesTrue { received().count == 200 })
        #expect(Set(received()).count == 200)
        #expect(members.allSatisfy { $0.events.contains(where: Self.isWork) })
    }

    private static func isWork(_ event: BusEvent) -> Bool {
        guard case .received(_, "work.a%2Eb", let replySubject) = event else { return false }
        return replySubject == "node.1.load.2"
    }

    @Test("Without a subscriber, the server answers a message with a reply subject by an empty one")
    func noSubscriber() async throws {
        let server = try NATSServer()
        let one = try BusRecorder(server)
        let two = try BusRecorder(server)
        try one.connection.subscribe("node.1.load.*", receivesReplies: true)
        #expect(await one.connects())
        #expect(await two.connects())
        let request = Array("request".utf8)
        #expect(
            one.connection.publish(request, to: "work", BusEnvelope(replySubject: "node.1.load.7")))
        let answer = BusEvent.received([], subject: "node.1.load.7")
        #expect(await becomesTrue { one.lastEvent == answer })
        // With a subscriber, there is no such answer.
        try two.connection.subscribe("work", group: "workers")
        #expect(await one.reaches(two, by: "work"))
        #expect(
            one.connection.publish(request, to: "work", BusEnvelope(replySubject: "node.1.load.8")))
        #expect(await becomesTrue { two.messages.last == "request" })
        #expect(one.events.filter { $0 == answer }.count == 1)
        #expect(one.lastEvent == answer)
    }

    @Test("A group is joined again after a disconnection")
    func reconnects() async throws {
        let server = try NATSServer()
        let one = try BusRecorder(server)
        let two = try BusRecorder(server)
        try two.connection.subscribe("work", group: "workers")
        for bus in [one, two] { #expect(await bus.connects()) }
        server.stop()
        for bus in [one, two] { #expect(await becomesTrue { !bus.disconnections.isEmpty }) }
        try server.start()
        for bus in [one, two] { #expect(await bus.connects(2)) }
        #expect(await one.reaches(two, by: "work"))
    }

    @Test("Names of groups and reply subjects that would break the protocol are refused")
    func names() async throws {
        let server = try NATSServer()
        let one = try BusRecorder(server)
        #expect(await one.connects())
        for name in ["", "a b", "a\r\nPING", "a.*", ">"] {
            #expect(throws: BusError.self) { try one.connection.subscribe("a", group: name) }
            #expect(!one.connection.publish([], to: "a", BusEnvelope(replySubject: name)))
        }
        #expect(one.disconnections.isEmpty)
    }
}
