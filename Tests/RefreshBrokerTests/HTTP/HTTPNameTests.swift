import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBroker

@Suite("Names of servers that are looked up slowly", .timeLimit(.minutes(1)))
struct HTTPNameTests {
    @Test("A look-up that hangs holds up neither a timeout, nor a cancel, nor the next call")
    func hangingLookUp() async throws {
        let request = LoadRequest(feed: "h", kind: .refresh, page: 1, offset: 0, size: 20)
        let server = try LocalServer { $0.reply(200, "[1]") }
        let held = HeldName("held.test")
        defer { held.release() }
        let options = HTTPOptions.patient { $0.connectTimeoutMs = 1500 }
        let backend = try HTTPBackend(
            url: "http://\(held.name):\(server.port)/", options: options)

        let failed = await backend.failure(request)
        #expect(failed == LoadFailure(.backendUnavailable, "No connection in 1500 ms."))
        #expect(held.isHeld && held.count == 1)

        let cancelled = Task { try await backend.load(request) }
        #expect(await becomesTrue { held.count == 2 })
        cancelled.cancel()
        await #expect(throws: LoadFailure.self) { try await cancelled.value }
        #expect(held.isHeld)

        held.answerNext()
        #expect(try await backend.load(request).count == 1)
        #expect(held.isHeld)
    }
}
