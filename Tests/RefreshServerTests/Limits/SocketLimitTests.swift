import RefreshProtocol
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshServer
@testable import RefreshSession

/// Limits of data on a socket, tested at the limit and one byte above it.
@Suite("Limits on the socket", .limit)
struct SocketLimitTests {
    @Test("frameBytesMax: one byte above it closes the connection with 1009", arguments: [0, 1])
    func frame(_ excess: Int) async throws {
        let daemon = try TestDaemon(
            "limits: { frameBytesMax: 2048, snapshotBytesMax: 1024, tokenBytesMax: 64 }")
        let client = try await daemon.greeted()
        let ping = #"{"type":"ping","t":1}"#
        client.send(ping + String(repeating: " ", count: 2048 - ping.utf8.count + excess))
        let received = await client.receive(within: .patient)
        #expect(received.text?.contains(excess == 0 ? #""type":"pong""# : "frameTooLarge") == true)
        #expect(daemon.total.sessions.count(of: .frameTooLarge) == excess)
        guard excess > 0 else { return }
        #expect(ServerTests.code(of: await client.receive(within: .patient)) == 1009)
    }

    @Test("echoBytesMax: one byte above it closes the connection with 1009", arguments: [0, 1])
    func echo(_ excess: Int) async throws {
        let daemon = try TestDaemon("limits: { echoBytesMax: 4096 }", echo: true)
        let client = try await daemon.connect("/echo")
        let bytes = [UInt8](repeating: 7, count: 4096 + excess)
        client.send(bytes, isBinary: true)
        let answer = await client.receive(within: .patient)
        if excess == 0 {
            #expect(answer == .message(bytes, isBinary: true))
        } else {
            #expect(ServerTests.code(of: answer) == 1009)
        }
        #expect(daemon.total.connections.count(of: .tooBig) == excess)
    }
}
