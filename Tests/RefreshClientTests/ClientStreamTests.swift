import RefreshClient
import Testing
import Workbench

/// The sequences of states and events of `RefreshClient`, without a daemon.
@Suite("The sequences of a client", .limit)
struct ClientStreamTests {
    /// A transport that refuses each connection.
    private struct Refusing: ClientTransport {
        struct Refusal: Error, CustomStringConvertible {
            var description: String { "the upgrade was answered with the status 404" }
        }

        func connect(to url: String, subprotocol: String) async throws -> any TransportConnection {
            throw Refusal()
        }
    }

    private static func client() -> RefreshClient {
        RefreshClient(
            url: "ws://127.0.0.1:9/wrong", configuration: ClientConfiguration(client: "test"),
            transport: Refusing())
    }

    @Test("A failed attempt to connect is an event with the reason of the transport")
    func failed() async {
        let client = Self.client()
        var events = await client.events().makeAsyncIterator()
        await client.connect()
        let reason = "the upgrade was answered with the status 404"
        #expect(await events.next() == .connectionFailed(reason: reason))
        await client.close()
    }

    @Test("After `close`, the sequences end, and further ones have nothing but the last state")
    func closes() async {
        let client = Self.client()
        let (states, events) = (await client.states(), await client.events())
        await client.connect()
        await client.close()
        var statuses: [ConnectionStatus] = []
        for await state in states { statuses.append(state.status) }
        #expect(statuses.last == .closed)
        for await _ in events {}
        for await state in await client.states() { #expect(state.status == .closed) }
        for await event in await client.events() { Issue.record("\(event)") }
        await client.connect()
        await client.close()
        #expect(await client.state.status == .closed)
    }
}
