import RefreshProtocol
import Testing
import WebSocketTransport
import WireContract
import Workbench

@testable import RefreshServer

/// The checks of `CheckedLine`, tested on a connection that echoes every frame.
@Suite("Checked connections", .limit)
struct CheckedLineTests {
    static let wrong: [(sender: Speaker, text: String)] = [
        (.worker, #"{"type":"page","id":7,"items":[]}"#),
        (.worker, #"{"type":"load","id":"7"}"#),
        (.worker, #"[{"type":"changed","feed":"songs"}]"#),
        (.worker, "x"),
        (.broker, #"{"type":"cancel"}"#),
        (.broker, #"{"type":"cancel","id":"7","why":"late"}"#),
        (.broker, #"[{"type":"bye"}]"#),
        (.watch, #"{"event":"lost"}"#),
        (.watch, #"{"event":"lost","count":1.5}"#),
        (.watch, #"[{"event":"watching"},{"event":"gone"}]"#),
        (.watch, #"{"type":"watching"}"#),
        (.daemon, #"{"type":"pong","t":1}"#),
        (.client, #"{"type":"ping","t":"1"}"#),
    ]

    private func line(
        _ daemon: TestDaemon, _ sender: Speaker
    ) async throws -> CheckedLine {
        CheckedLine(client: try await daemon.connect("/echo"), sender: sender, peer: sender)
    }

    @Test("A message that violates the contract fails the test", arguments: wrong)
    func fails(_ sender: Speaker, _ text: String) async throws {
        let daemon = try TestDaemon(echo: true, loops: 1)
        let line = try await line(daemon, sender)
        withKnownIssue { line.send(text) }
        var received: String?
        await withKnownIssue { received = await line.receive(within: .patient).text }
        #expect(received == text)
    }

    @Test("If a message that should violate the contract conforms to it, the test fails")
    func validMessage() async throws {
        let daemon = try TestDaemon(echo: true, loops: 1)
        let line = try await line(daemon, .worker)
        withKnownIssue { line.send(wrong: #"{"type":"changed","feed":"songs"}"#) }
    }

    @Test("A binary message fails the test, and so does any message that a watcher sends")
    func nothing() async throws {
        let daemon = try TestDaemon(echo: true, loops: 1)
        let watcher = CheckedLine(
            client: try await daemon.connect("/echo"), sender: nil, peer: .watch)
        withKnownIssue { watcher.send(#"{"event":"watching"}"#) }
        #expect(await watcher.receive(within: .patient).text != nil)
        watcher.client.send(Array(#"{"event":"watching"}"#.utf8), isBinary: true)
        await withKnownIssue { _ = await watcher.receive(within: .patient) }
    }

    @Test("Every example of the contract passes", arguments: Speaker.allCases)
    func passes(_ sender: Speaker) async throws {
        let daemon = try TestDaemon(echo: true, loops: 1)
        let line = try await line(daemon, sender)
        for message in Contract.messages where message.sender == sender {
            for example in message.examples {
                line.send(example)
                #expect(await line.receive(within: .patient).text == example)
            }
        }
    }
}
