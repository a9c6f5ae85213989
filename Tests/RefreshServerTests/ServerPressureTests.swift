import RefreshProtocol
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// The limits of the daemon's memory and of the frames that it sends, tested over sockets.
@Suite("Limits of memory and frames over sockets", .limit)
struct ServerPressureTests {
    private static let views = (0..<8).map { "v\($0)" }

    /// A `stream` client with several views that are all animated.
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

    /// The states of each view that the client receives, until all views are idle again.
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

    @Test("If a session exceeds its budget, it receives fewer frames, but every state")
    func session() async throws {
        let daemon = try TestDaemon("limits: { playedBytesPerSecondMax: 400 }")
        let client = try await Self.moving(daemon)
        #expect(try await daemon.until { $0.sessions.framesDeferred > 0 })
        client.send(Self.batch("end", from: 100))
        let states = try await Self.states(of: client)
        #expect(Self.views.allSatisfy { states[$0]?.first == "refreshing" }, "\(states)")
        // All views go through the same states.
        #expect(Set(states.values).count == 1, "\(states)")
    }

    @Test("Sessions of one address share a budget, and each session receives all its states")
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

    @Test("When memory runs out, the newest session is closed with 4102, and the oldest stays")
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
        // At 4 % above the limit, one of the two sessions must end.
        try kernel.write("statm", "1 1015 0\n")
        let received = await last.receive(within: .patient)
        #expect(received.text?.contains("outOfMemory") == true)
        guard case .closed(4102, _) = await last.receive(within: .patient) else {
            Issue.record("the connection was not closed with 4102")
            return
        }
        try kernel.write("statm", "1 900 0\n")
        #expect(daemon.total.sessions.sessionsShed >= 1)
        _ = first
    }
}
