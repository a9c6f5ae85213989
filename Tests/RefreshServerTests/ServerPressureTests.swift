import RefreshProtocol
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Bounds of what sessions take and are sent, over sockets.
@Suite("Pressure over sockets", .limit)
struct ServerPressureTests {
    private static let views = (0..<8).map { "v\($0)" }

    /// A `stream` client whose views all move by themselves.
    private static func moving(_ daemon: TestDaemon) async throws -> DialedClient {
        let client = try await daemon.connect()
        let bodies = views.map { HostClient.view($0, feed: nil) }.joined(separator: ",")
        client.send(#"{"type":"hello","protocol":1,"frames":"stream","views":[\#(bodies)]}"#)
        client.send(batch("begin", from: 1))
        return client
    }

    private static func batch(_ type: String, from seq: Int) -> String {
        let messages = views.enumerated().map { number, view in
            #"{"type":"\#(type)","view":"\#(view)","seq":\#(seq + number)}"#
        }
        return "[" + messages.joined(separator: ",") + "]"
    }

    /// The states that the client is sent of each view, until all are idle again.
    private static func states(of client: DialedClient) async throws -> [String: [String]] {
        var states: [String: [String]] = [:]
        while !views.allSatisfy({ states[$0]?.last == "idle" }) {
            let text = try #require(await client.receive(within: .patient).text)
            let value = try JSONValue(parsing: text)
            for message in value.array ?? [value] where message["type"]?.string == "update" {
                guard let view = message["view"]?.string,
                    let state = message["top"]?["state"]?.string
                else { continue }
                states[view, default: []].append(state)
            }
        }
        return states
    }

    @Test("beyond the budget of a session there are fewer frames, never fewer states")
    func session() async throws {
        let daemon = try TestDaemon("limits: { playedBytesPerSecondMax: 400 }")
        let client = try await Self.moving(daemon)
        #expect(try await daemon.until { $0.sessions.framesDeferred > 0 })
        client.send(Self.batch("end", from: 100))
        let states = try await Self.states(of: client)
        #expect(Self.views.allSatisfy { states[$0]?.first == "refreshing" }, "\(states)")
        // All go the same way.
        #expect(Set(states.values).count == 1, "\(states)")
    }

    @Test("sessions of one address share its budget, and each has all its states")
    func address() async throws {
        let daemon = try TestDaemon(
            "limits: { playedBytesPerSecondMax: 0, playedBytesPerAddressMax: 400 }")
        let clients = [try await Self.moving(daemon), try await Self.moving(daemon)]
        #expect(try await daemon.until { $0.sessions.framesDeferred > 1 })
        for client in clients {
            client.send(Self.batch("end", from: 100))
            let states = try await Self.states(of: client)
            #expect(Self.views.allSatisfy { states[$0]?.first == "refreshing" }, "\(states)")
        }
    }

    @Test("who came last is closed with 4102 when memory runs out, and the first stays")
    func memory() async throws {
        let kernel = FakeKernel()
        try kernel.write("statm", "1 10 0\n")
        let daemon = try TestDaemon(
            memory: MemoryGauge(
                process: kernel.path("statm"), groups: [], addressSpace: nil, trim: { $0() },
                trimNow: {})
        ) { $0.limits.memoryBytesMax = 1000 * FakeKernel.page }
        let first = try await daemon.greeted()
        let last = try await daemon.greeted()
        // 4 % more than there may be are some of one session of two.
        try kernel.write("statm", "1 1015 0\n")
        let told = await last.receive(within: .patient)
        #expect(told.text?.contains("outOfMemory") == true)
        guard case .closed(4102, _) = await last.receive(within: .patient) else {
            Issue.record("it was not closed with 4102")
            return
        }
        try kernel.write("statm", "1 900 0\n")
        #expect(daemon.total.sessions.sessionsShed >= 1)
        _ = first
    }
}
