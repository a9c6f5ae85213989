import RefreshProtocol
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshServer
@testable import RefreshSession

/// Violations that the transport detects are counted, and reported to the client with the codes of
/// `FaultCode`.
@Suite("Violations at the transport level", .limit)
struct ServerBreachTests {
    @Test("A client that sends a too large message receives frameTooLarge and is closed with 1009")
    func tooBig() async throws {
        let daemon = try TestDaemon()
        let client = try await daemon.greeted()
        client.send(#"{"type":"ping","t":1,"x":""# + String(repeating: "y", count: 70_000) + #""}"#)
        let received = await client.receive(within: .patient)
        #expect(received.text?.contains(#""code":"frameTooLarge""#) == true)
        #expect(await client.receive(within: .patient).closeCode == 1009)
        let place = try #require(FaultCode.allCases.firstIndex(of: .frameTooLarge))
        #expect(daemon.total.sessions.faults[place] == 1)
    }

    @Test("A client that sends a text that is not UTF-8 gets invalidText and is closed with 1007")
    func notText() async throws {
        let daemon = try TestDaemon()
        let client = try await daemon.greeted()
        client.send([0x22, 0xC3, 0x28, 0x22], isBinary: false)
        let received = await client.receive(within: .patient)
        #expect(received.text?.contains(#""code":"invalidText""#) == true)
        #expect(await client.receive(within: .patient).closeCode == 1007)
    }

    @Test("The latency is measured only for answers that are updates")
    func latency() async throws {
        let daemon = try TestDaemon()
        let client = try await daemon.greeted()
        for turn in 0..<64 {
            client.send(#"{"type":"ping","t":\#(turn)}"#)
            _ = await client.receive(within: .patient)
        }
        #expect(daemon.total.sessions.latencies.reduce(0, +) == 0)
        client.send(
            #"{"type":"attach","seq":1,"view":"list","profile":"iqpulltorefresh","geometry":{"viewport":{"width":1,"height":800}}}"#
        )
        _ = await client.receive(within: .patient)
        for turn in 0..<32 {
            client.send(
                #"{"type":"scroll","view":"list","seq":\#(turn + 2),"offset":-\#(turn + 1),"phase":"dragging"}"#
            )
            _ = await client.receive(within: .patient)
        }
        // The daemon counts an update only after it has sent the update. So the last update may be
        // counted after it has arrived here.
        #expect(await becomesTrue { daemon.total.sessions.latencies.reduce(0, +) == 32 })
    }
}

extension DialedEvent {
    /// The code of a close. Nil for other events.
    fileprivate var closeCode: UInt16? {
        guard case .closed(let code, _) = self else { return nil }
        return code
    }
}
