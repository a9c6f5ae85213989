import RefreshProtocol
import Testing

@testable import ScenarioKit

@Suite("Outdated offsets of stream and local clients")
struct OutdatedOffsetTests {
    /// A client whose view is attached. The daemon needs samples at the offsets up to 100.
    private static func attached(_ isLocal: Bool) throws -> any ThinClient {
        var client: any ThinClient =
            isLocal
            ? LocalClient(view: "list", after: 0, offset: 0, silenceMs: 5000)
            : StreamClient(view: "list", after: 0, offset: 0, silenceMs: 5000)
        try receive(
            """
            {"type":"attached","view":"list","ack":0,"top":{"role":"refresh","state":"idle"},\
            "bottom":{"role":"loadMore","state":"idle"},\
            "law":{"rest":[0,2000],"interest":[[null,100]],"follow":[[null,100]]}}
            """, by: &client)
        return client
    }

    private static func receive(_ text: String, by client: inout any ThinClient) throws {
        client.receive(try JSONValue(parsing: Array(text.utf8)), at: 50)
    }

    /// Moves the list with a finger and returns the messages that the client sends.
    private static func drag(
        _ client: inout any ThinClient, from first: Double, to last: Double
    ) -> [JSONValue] {
        let steps: [(Double, ScrollPhase)] = [
            (first, .began), (last, .dragging), (last, .ended), (last, .idle),
        ]
        return steps.enumerated().flatMap { index, step in
            client.handleSample(
                HandSample(t: Double(index), .offset(step.0), phase: step.1))
        }
    }

    @Test(
        "An offset that answers a message before the last movement does not move the list",
        arguments: [false, true])
    func movement(isLocal: Bool) throws {
        var client = try Self.attached(isLocal)
        let sent = Self.drag(&client, from: 0, to: 20)
        let first = try #require(sent.first?["seq"]?.wholeNumber)
        try Self.receive(
            """
            {"type":"update","view":"list","ack":\(first - 1),"inset":{"top":64,"duration":0},\
            "offset":{"to":-64,"duration":0}}
            """, by: &client)
        #expect(client.display(at: 50).offset == 20)
        #expect(client.display(at: 50).insets["top"] == 64)
        // The daemon knows the offset of the movement, so the client does not send it again.
        let later = client.prepareMessage(.object([.init("type", .string("refresh"))]), at: 50)
        #expect(later.map { $0["type"]?.string } == ["refresh"])
        try Self.receive(
            """
            {"type":"update","view":"list","ack":\(first),"offset":{"to":-64,"duration":0}}
            """, by: &client)
        #expect(client.display(at: 50).offset == -64)
    }

    @Test(
        "Each step of a wheel makes earlier offsets outdated", arguments: [false, true])
    func wheel(isLocal: Bool) throws {
        var client = try Self.attached(isLocal)
        var sent: [JSONValue] = []
        for (t, offset) in [(0.0, 20.0), (16, 40)] {
            sent += client.handleSample(
                HandSample(t: t, .offset(offset), phase: .decelerating, cause: .wheel))
        }
        let seq = try #require(sent.last?["seq"]?.wholeNumber)
        try Self.receive(
            "{\"type\":\"update\",\"ack\":\(seq - 1),\"offset\":{\"to\":0,\"duration\":0}}",
            by: &client)
        #expect(client.display(at: 50).offset == 40)
        try Self.receive(
            "{\"type\":\"update\",\"ack\":\(seq),\"offset\":{\"to\":30,\"duration\":0}}",
            by: &client)
        #expect(client.display(at: 50).offset == 30)
    }

    @Test(
        "A movement that was not reported makes an offset outdated only after its `idle` was sent",
        arguments: [false, true])
    func unreported(isLocal: Bool) throws {
        var client = try Self.attached(isLocal)
        // The list leaves the range in which the daemon needs samples.
        let last = Self.drag(&client, from: 0, to: 300).last?["seq"]?.wholeNumber ?? 0
        #expect(Self.drag(&client, from: 300, to: 310).isEmpty)
        try Self.receive(
            "{\"type\":\"update\",\"ack\":\(last),\"offset\":{\"to\":500,\"duration\":0}}",
            by: &client)
        #expect(client.display(at: 50).offset == 500)
        #expect(Self.drag(&client, from: 500, to: 520).isEmpty)
        let sent = client.prepareMessage(.object([.init("type", .string("refresh"))]), at: 50)
        #expect(sent.first?["phase"]?.string == "idle")
        try Self.receive(
            "{\"type\":\"update\",\"ack\":\(last),\"offset\":{\"to\":600,\"duration\":0}}",
            by: &client)
        #expect(client.display(at: 50).offset == 520)
    }

    @Test(
        "A geometry with an offset makes earlier offsets outdated, and one with an anchor does not",
        arguments: [false, true])
    func geometry(isLocal: Bool) throws {
        var client = try Self.attached(isLocal)
        let anchor = JSONValue.object([.init("id", .string("m")), .init("position", .number(9))])
        let geometry: [JSONValue.Member] = [
            .init("type", .string("geometry")), .init("offset", .number(0)),
        ]
        _ = client.prepareMessage(.object(geometry + [.init("anchor", anchor)]), at: 50)
        let late = "{\"type\":\"update\",\"ack\":0,\"offset\":{\"to\":30,\"duration\":0}}"
        try Self.receive(late, by: &client)
        #expect(client.display(at: 50).offset == 30)
        _ = client.prepareMessage(.object(geometry), at: 50)
        try Self.receive(
            "{\"type\":\"update\",\"ack\":0,\"offset\":{\"to\":60,\"duration\":0}}", by: &client)
        #expect(client.display(at: 50).offset == 30)
    }
}
