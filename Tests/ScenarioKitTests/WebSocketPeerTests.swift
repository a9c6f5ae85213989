import RefreshProtocol
import ScenarioBench
import ScenarioKit
import Testing
import WebSocketTransport

@Suite("Scenarios over a socket")
struct WebSocketPeerTests {
    @Test("Frames are sent and received in order, and a close is received with its code")
    func conversation() async throws {
        let server = try ScriptedServer([
            "a": [.text("{\"type\":\"one\"}"), .text("{\"type\":\"two\"}")], "b": [.close(4001)],
        ])
        defer { server.stop() }
        let dialer = try Dialer()
        defer { dialer.stop() }
        let peer = WebSocketPeer(url: server.url, dialer: dialer)
        try await peer.send("a")
        let deadline = peer.now.advanced(byMilliseconds: 60_000.0)
        #expect(try await peer.receive(until: deadline) == .frame("{\"type\":\"one\"}"))
        #expect(try await peer.receive(until: deadline) == .frame("{\"type\":\"two\"}"))
        try await peer.send("b")
        #expect(
            try await peer.receive(until: deadline) == .closed(code: 4001, reason: "as scripted"))
        #expect(try await peer.receive(until: deadline) == nil)
        await #expect(throws: PeerError.self) { try await peer.send("c") }
        await peer.close()
    }

    @Test("A wait ends at its deadline and not before")
    func deadline() async throws {
        let server = try ScriptedServer([:])
        defer { server.stop() }
        let dialer = try Dialer()
        defer { dialer.stop() }
        let peer = WebSocketPeer(url: server.url, dialer: dialer)
        try await peer.send("a")
        let deadline = peer.now.advanced(byMilliseconds: 30.0)
        #expect(try await peer.receive(until: deadline) == nil)
        #expect(peer.now >= deadline)
        await peer.close()
    }

    @Test("A daemon that is missing, refuses or sends binary frames fails the scenario")
    func failures() async throws {
        let server = try ScriptedServer(["{\"type\":\"bye\"}": [.binary([1])]])
        let dialer = try Dialer()
        defer { dialer.stop() }
        let other = server.url.replacing("/v1/session", with: "/other")
        let refused = WebSocketPeer(url: other, dialer: dialer)
        await #expect(throws: PeerError("\(other) refused the upgrade with status 404")) {
            try await refused.send("a")
        }
        let binary = await ScenarioRunner.run(
            try scenario("bye\nexpect bye"), over: WebSocketPeer(url: server.url, dialer: dialer))
        #expect(binary.failure?.reason.came == "The daemon sent a binary frame.")
        server.stop()
        let unreachable = WebSocketPeer(url: server.url, dialer: dialer)
        let result = await ScenarioRunner.run(
            try scenario("hello\nexpect welcome"), over: unreachable)
        #expect(result.failure?.reason.expected == "an open connection")
    }

    @Test("A scenario that only sends fails if the server refuses, disconnects or does not answer")
    func unanswered() async throws {
        let hello = #"{"type":"hello","protocol":1,"client":"scenario"}"#
        let marker = #"{"type":"ping","t":1.015625}"#
        let pong = #"{"type":"pong","t":1.015625,"time":0,"ack":0}"#
        let fault = #"{"type":"error","code":"unknownView"}"#
        let dialer = try Dialer()
        defer { dialer.stop() }
        // The runner waits until the limit only if the server is silent.
        func failure(
            _ answers: [String: [ScriptedServer.Answer]], limit: String = "60s"
        ) async throws -> StepFailure? {
            let server = try ScriptedServer(answers)
            defer { server.stop() }
            let limited = try ScenarioParser.parse(
                "description: d\nexpectation: e\nlimit: \(limit)\n# p\nhello\n", name: "x")
            return await ScenarioRunner.run(
                limited, over: WebSocketPeer(url: server.url, dialer: dialer)
            ).failure?.reason
        }
        #expect(try await failure([marker: [.text(pong)]]) == nil)
        let hungUp = try await failure([hello: [.close(1000)]])
        #expect(hungUp?.came == "close 1000 as scripted")
        let lateHungUp = try await failure([marker: [.close(4001)]])
        #expect(lateHungUp?.came == "close 4001 as scripted")
        #expect(
            try await failure([:], limit: "300ms")
                == StepFailure(expected: "an answer to a `ping`", came: "nothing"))
        #expect(
            try await failure([hello: [.text(fault)], marker: [.text(pong)]])?.came == fault)
        let server = try ScriptedServer([:])
        defer { server.stop() }
        let refused = await ScenarioRunner.run(
            try scenario("wait 10ms"),
            over: WebSocketPeer(
                url: server.url.replacing("/v1/session", with: "/other"), dialer: dialer))
        #expect(
            refused.failure?.reason.came.hasSuffix("refused the upgrade with status 404") == true)
    }
}
