import Testing
import WebSocketTransport
import Workbench

@testable import RefreshServer

@Suite("Draining", .limit(minutes: 1))
struct DrainTests {
    private static func daemon(_ step: String, loadsMs: Int) throws -> TestDaemon {
        try TestDaemon(
            """
            drain: { spreadMs: 0, loadsMs: \(loadsMs) }
            feeds: { songs: { backend: script, paging: page, size: 1, steps: [\(step)] } }
            """)
    }

    /// A session whose refresh runs.
    private static func loading(_ daemon: TestDaemon) async throws -> DialedClient {
        let client = try await daemon.greeted()
        client.send(
            #"[{"type":"attach","seq":1,"view":"list","profile":"default","feed":"songs","#
                + #""geometry":{"viewport":{"width":100,"height":100}}},"#
                + #"{"type":"refresh","seq":2,"view":"list"}]"#)
        var text = ""
        while !text.contains(#""phase":"began""#) {
            text = try #require(await client.receive(within: .patient(20)).text)
        }
        return client
    }

    /// All that comes to the end of the connection.
    private static func rest(
        of client: DialedClient
    ) async -> (texts: [String], end: DialedEvent) {
        var texts: [String] = []
        while true {
            let event = await client.receive(within: .patient(30))
            guard let text = event.text else { return (texts, event) }
            texts.append(text)
        }
    }

    private static let end = DialedEvent.closed(code: 4100, reason: "draining")

    @Test("a session lingers for its load, gets the items, and is closed then; others do not wait")
    func lingers() async throws {
        let daemon = try Self.daemon("{ afterMs: 1000, items: [{ n: late }] }", loadsMs: 50_000)
        let waiting = try await Self.loading(daemon)
        let idle = try await daemon.greeted()
        let begin = ContinuousClock.now
        async let drained: Void = withCheckedContinuation { done in
            daemon.server.drain { done.resume() }
        }
        let (idleTexts, idleEnd) = await Self.rest(of: idle)
        #expect(idleEnd == Self.end)
        #expect(idleTexts.first?.hasPrefix(#"{"type":"draining""#) == true)
        let (texts, end) = await Self.rest(of: waiting)
        await drained
        #expect(end == Self.end)
        let told = try #require(texts.firstIndex { $0.contains(#""type":"draining""#) })
        let items = try #require(texts.firstIndex { $0.contains("late") })
        #expect(told < items)
        #expect(texts.last?.contains(#""code":"draining""#) == true)
        // It was not the bound that ended it.
        #expect(ContinuousClock.now - begin < .patient(40))
    }

    @Test("a load that does not end is waited for so long, and the daemon stops in its time")
    func bound() async throws {
        let daemon = try Self.daemon("{ hang: true }", loadsMs: 400)
        let client = try await Self.loading(daemon)
        let begin = ContinuousClock.now
        async let drained: Void = withCheckedContinuation { done in
            daemon.server.drain { done.resume() }
        }
        let (texts, end) = await Self.rest(of: client)
        let waited = ContinuousClock.now - begin
        await drained
        #expect(end == Self.end)
        #expect(!texts.contains { $0.contains(#""type":"items""#) })
        #expect(waited >= .milliseconds(390))
        // 0.4 and 6 are promised; the rest is the machine's.
        #expect(ContinuousClock.now - begin < .patient(15))
    }
}
