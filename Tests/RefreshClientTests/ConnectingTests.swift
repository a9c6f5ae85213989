import RefreshProtocol
import Synchronization
import Testing

@testable import RefreshClient

/// How the actor connects, and passes events to the app.
struct ConnectingTests {
    /// A transport that reports each call, and never opens a connection.
    private final class RefusingTransport: ClientTransport {
        struct Refused: Error {}
        let calls = AsyncStream.makeStream(of: Void.self)

        func connect(to url: String, subprotocol: String) async throws -> any TransportConnection {
            calls.continuation.yield()
            throw Refused()
        }
    }

    /// A transport whose attempts fail with this status. The first one succeeds if there is a
    /// `welcome`; its connection ends after this message.
    private final class AnsweringTransport: ClientTransport {
        struct Answered: HTTPStatusError, CustomStringConvertible {
            let status: Int?
            var description: String { "answered with \(status ?? 0)" }
        }

        final class Connection: TransportConnection {
            private let frames: Mutex<[String]>

            init(_ frame: String) { frames = Mutex([frame]) }

            func send(_ text: String) {}
            func receive() async -> ConnectionEvent {
                frames.withLock { $0.popLast() }.map { .text($0) } ?? .closed(code: 1006)
            }
            func close(code: UInt16) {}
            func cut() {}
        }

        let count = Mutex(0)
        private let status: Int
        private let welcome: String?

        init(status: Int, welcome: String? = nil) {
            (self.status, self.welcome) = (status, welcome)
        }

        func connect(to url: String, subprotocol: String) async throws -> any TransportConnection {
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1, let welcome { return Connection(welcome) }
            throw Answered(status: status)
        }
    }

    private static let configuration = ClientConfiguration(
        client: "test", views: [ClientMachineTests.list])

    @Test("If the token does not arrive in time, the client gives up and tries again")
    func tokenLimit() async {
        let transport = RefusingTransport()
        let count = Mutex(0)
        let client = RefreshClient(
            url: "ws://127.0.0.1:1/v1/session", configuration: Self.configuration,
            transport: transport,
            tokens: {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                // The first call ends only when it is cancelled.
                if number == 1 { for await _ in AsyncStream<Void>.makeStream().stream {} }
                return "token\(number)"
            }, connectLimit: .milliseconds(20))
        await client.connect()
        var calls = transport.calls.stream.makeAsyncIterator()
        await calls.next()
        #expect(count.withLock { $0 } >= 2)
        #expect(await client.machine.token?.hasPrefix("token") == true)
        #expect(await client.machine.token != "token1")
        await client.close()
    }

    @Test("The token of an earlier attempt does not replace the token of the present one")
    func tokenOfEarlierAttempt() async {
        let client = RefreshClient(
            url: "ws://127.0.0.1:1/v1/session", configuration: Self.configuration,
            transport: RefusingTransport(),
            tokens: {
                for await _ in AsyncStream<Void>.makeStream().stream {}
                return nil
            })
        await client.connect()
        let first = await client.dialNumber
        await client.enterBackground()
        await client.enterForeground()
        let second = await client.dialNumber
        #expect(await client.use("new", second))
        #expect(await !client.use("old", first))
        #expect(await client.machine.token == "new")
        await client.close()
    }

    @Test("A reader of events that is slow loses the oldest ones")
    func eventLimit() async {
        let client = RefreshClient(
            url: "ws://127.0.0.1:1/v1/session", configuration: Self.configuration,
            transport: RefusingTransport())
        var events = await client.events().makeAsyncIterator()
        for number in 0..<(RefreshClient.waitingEventsMax + 5) {
            await client.perform { _, _ in [.emit(.draining(closesMs: Double(number)))] }
        }
        #expect(await events.next() == .draining(closesMs: 5))
    }

    @Test(
        "An upgrade that is refused before the first welcome is not tried again",
        arguments: [400, 403, 404])
    func refusedUpgrade(_ status: Int) async {
        let transport = AnsweringTransport(status: status)
        let client = RefreshClient(
            url: "ws://127.0.0.1:1/v1/session", configuration: Self.configuration,
            transport: transport)
        var events = await client.events().makeAsyncIterator()
        await client.connect()
        let reason = "answered with \(status)"
        #expect(await events.next() == .connectionFailed(reason: reason))
        #expect(await client.state.status == .refused)
        #expect(await client.state.refusal == reason)
        await client.networkBecameAvailable()
        await client.connect()
        #expect(transport.count.withLock { $0 } == 1)
        await client.close()
    }

    @Test("An upgrade is tried again after a welcome, and after another status")
    func repeatedUpgrade() async {
        let welcome = #"{"type":"welcome","protocol":1,"session":"s","token":"t","ack":0}"#
        for (status, welcome) in [(404, welcome), (401, nil), (429, nil), (503, nil)] {
            let transport = AnsweringTransport(status: status, welcome: welcome)
            let client = RefreshClient(
                url: "ws://127.0.0.1:1/v1/session", configuration: Self.configuration,
                transport: transport)
            var events = await client.events().makeAsyncIterator()
            await client.connect()
            for _ in 0..<2 {
                #expect(
                    await events.next() == .connectionFailed(reason: "answered with \(status)"))
                #expect(await client.state.refusal == nil)
                await client.networkBecameAvailable()
            }
            await client.close()
        }
    }
}
