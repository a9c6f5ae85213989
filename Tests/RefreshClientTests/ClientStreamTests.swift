import RefreshClient
import RefreshProtocol
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

    /// A connection to a peer that never answers. It ends when it is cut.
    private final class Silent: ClientTransport, TransportConnection {
        let sent = AsyncStream.makeStream(of: String.self)
        let ending = AsyncStream.makeStream(of: Void.self)

        func connect(
            to url: String, subprotocol: String
        ) async throws -> any TransportConnection { self }
        func send(_ text: String) { sent.continuation.yield(text) }
        func receive() async -> ConnectionEvent {
            for await _ in ending.stream {}
            return .closed(code: 1006)
        }
        func close(code: UInt16) {}
        func cut() {
            sent.continuation.finish()
            ending.continuation.finish()
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

    @Test("`edit` throws the reason why the client refuses an edit")
    func refusesEdits() async {
        let client = RefreshClient(
            url: "ws://127.0.0.1:9/wrong",
            configuration: ClientConfiguration(
                client: "test",
                views: [ViewDescription(name: "list", feed: "packages", geometry: .init())]),
            transport: Refusing())
        await #expect(throws: EditError.notAccepted(.remove)) {
            try await client.edit("list", .remove(.number(1)))
        }
        await #expect(throws: EditError.unknownView) {
            try await client.edit("other", .remove(.number(1)))
        }
        await client.close()
        await #expect(throws: EditError.clientClosed) {
            try await client.edit("list", .remove(.number(1)))
        }
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

    @Test("After `close`, the connection to a peer that does not answer is cut")
    func closesSilentConnection() async {
        let transport = Silent()
        let client = RefreshClient(
            url: "ws://127.0.0.1:9/v1/session", configuration: ClientConfiguration(client: "test"),
            transport: transport, closeLimit: .milliseconds(20))
        let events = await client.events()
        var sent = transport.sent.stream.makeAsyncIterator()
        await client.connect()
        #expect(await sent.next()?.contains(#""type":"hello""#) == true)
        await client.close()
        for await event in events { Issue.record("\(event)") }
        #expect(await sent.next() == #"{"type":"bye"}"#)
        // Only the cut ends what the connection sends.
        #expect(await sent.next() == nil)
        #expect(await client.state.status == .closed)
    }
}
