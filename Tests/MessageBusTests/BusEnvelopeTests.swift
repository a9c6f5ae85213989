import MessageBus
import Testing
import Workbench

@Suite(
    "Reply subjects and headers", .limit,
    .enabled(if: NATSServer.isInstalled, "nats-server is not installed: run scripts/setup"))
struct BusEnvelopeTests {
    private static let revision = "Nats-Expected-Last-Subject-Sequence"

    @Test("JetStream answers to the reply subject, and heeds the header of a write")
    func jetStream() async throws {
        let folder = try TemporaryFile("jetstream")
        let server = try NATSServer("jetstream { store_dir: \"\(folder.path)\" }")
        let bus = try BusRecorder(server)
        try bus.connection.subscribe("replies.*")
        #expect(await bus.connects())
        let stream = #"{"name":"S","subjects":["s.>"],"storage":"memory"}"#
        #expect(
            bus.connection.publish(
                Array(stream.utf8), to: "$JS.API.STREAM.CREATE.S",
                BusEnvelope(replySubject: "replies.1")))
        #expect(await becomesTrue { bus.reply("replies.1")?.contains(#""name":"S""#) == true })
        for (number, expected) in [(2, "0"), (3, "0"), (4, "1")] {
            #expect(
                bus.connection.publish(
                    [0x61], to: "s.a",
                    BusEnvelope(
                        replySubject: "replies.\(number)",
                        headers: [.init(Self.revision, expected), .init("X-Other", "a b")])))
            #expect(await becomesTrue { bus.reply("replies.\(number)") != nil })
        }
        #expect(bus.reply("replies.2")?.contains(#""seq":1"#) == true)
        #expect(bus.reply("replies.3")?.contains("wrong last sequence: 1") == true)
        #expect(bus.reply("replies.4")?.contains(#""seq":2"#) == true)
    }

    @Test("If no connection receives a request, the server answers with an empty message")
    func noResponders() async throws {
        let server = try NATSServer()
        let bus = try BusRecorder(server)
        try bus.connection.subscribe("replies.*", receivesReplies: true)
        #expect(await bus.connects())
        #expect(
            bus.connection.publish(
                [], to: "$JS.API.STREAM.INFO.S", BusEnvelope(replySubject: "replies.1")))
        #expect(await becomesTrue { bus.reply("replies.1") == "" })
        #expect(bus.failures.isEmpty && bus.disconnections.isEmpty)
    }

    @Test("Headers count for the maximum size of a message")
    func largestHeaders() async throws {
        let server = try NATSServer("max_payload: 65536")
        let bus = try BusRecorder(server)
        let other = try BusRecorder(server)
        try other.connection.subscribe("a")
        #expect(await bus.connects())
        #expect(await other.connects())
        #expect(await bus.reaches(other, by: "a"))
        let envelope = BusEnvelope(headers: [.init("Name", "a value"), .init("Other", "")])
        // "NATS/1.0", "Name: a value", "Other: ", and an empty line
        let headerBytes = 10 + 15 + 9 + 2
        let largest = [UInt8](repeating: 0x61, count: 65_536 - headerBytes)
        #expect(bus.connection.publish(largest, to: "a", envelope))
        #expect(await becomesTrue { other.lastEvent == .received(largest, subject: "a") })
        #expect(!bus.connection.publish(largest + [0x61], to: "a", envelope))
        #expect(
            await becomesTrue {
                bus.failures == [
                    "The message of 65537 bytes to a is above the limit of the server, 65536 bytes."
                ]
            })
        #expect(bus.publish("goes on", to: "a"))
        #expect(await becomesTrue { other.messages.last == "goes on" })
        #expect(bus.disconnections.isEmpty)
    }

    @Test("Reply subjects and headers that would break the protocol are refused")
    func refused() async throws {
        let server = try NATSServer()
        let bus = try BusRecorder(server)
        #expect(await bus.connects())
        for subject in ["", "a b", "a\r\nPING", "a.*", ">"] {
            #expect(!bus.connection.publish([], to: "a", BusEnvelope(replySubject: subject)))
        }
        for header in [("", "a"), ("a b", "a"), ("a:", "a"), ("a\r\n", "a"), ("a", "b\r\nc")] {
            let envelope = BusEnvelope(headers: [.init(header.0, header.1)])
            #expect(!bus.connection.publish([], to: "a", envelope))
        }
        #expect(bus.connection.publish([], to: "a", BusEnvelope(headers: [.init("a", "b")])))
        #expect(bus.disconnections.isEmpty)
    }
}

extension BusRecorder {
    /// The message that was received on this subject.
    fileprivate func reply(_ subject: String) -> String? {
        for case .received(let bytes, subject, _) in events {
            return String(decoding: bytes, as: UTF8.self)
        }
        return nil
    }
}
