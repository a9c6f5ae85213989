import Testing
import WebSocketTransport
import Workbench

@testable import RefreshServer

/// Edits of clients through the whole daemon. Source: docs/protocol.md, "Edits".
@Suite("Edits through the daemon", .ownThread, .limit)
struct ServerEditTests {
    /// Receives until a message contains `mark`, and returns this message.
    private static func receive(_ mark: String, from client: DialedClient) async -> String {
        for _ in 0..<200 {
            guard let text = await client.receive(within: .patient).text else { break }
            if text.contains(mark) { return text }
        }
        Issue.record("no message contains \(mark)")
        return ""
    }

    private static func attach(_ client: DialedClient) async {
        client.send(#"{"type":"attach","seq":1,"view":"v","profile":"default","feed":"cards"}"#)
        _ = await receive(#""attached""#, from: client)
    }

    @Test("If the backend's answer cannot be used, the author and other sessions are informed")
    func unknown() async throws {
        let server = try LocalServer { exchange in
            exchange.reply(200, exchange.target == "/edits" ? #"{"item":{"x":1}}"# : "[]")
        }
        let daemon = try TestDaemon(
            """
            feeds:
              cards:
                backend: http
                url: "\(server.url)/"
                paging: page
                itemKey: /id
                edits: { operations: [remove], url: "\(server.url)/edits" }
            """)
        let other = try await daemon.greeted()
        await Self.attach(other)
        let author = try await daemon.connect()
        author.send(#"{"type":"hello","protocol":1,"features":["patch","live","edits"]}"#)
        await Self.attach(author)
        author.send(
            #"{"type":"edit","seq":2,"view":"v","edit":"6f0c8a52","operation":{"remove":7}}"#)
        let answer = await Self.receive(#""edited""#, from: author)
        #expect(answer.contains(#""result":"rolledBack","code":"backendAnswerMalformed""#))
        #expect(answer.contains(#""outcomeUnknown":true"#))
        _ = await Self.receive(#""newer":true"#, from: other)
        author.send(
            #"{"type":"edit","seq":3,"view":"v","edit":"6f0c8a53","operation":{"remove":[7]}}"#)
        let fault = await Self.receive(#""edited""#, from: author)
        #expect(fault.contains(#""edit":"6f0c8a53","result":"rolledBack","code":"invalidField""#))
        #expect(!fault.contains("outcomeUnknown"))
    }
}
