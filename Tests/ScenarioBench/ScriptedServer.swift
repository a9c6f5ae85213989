internal import WebSocketTransport

/// A WebSocket server on loopback that answers each text as the test specifies.
package final class ScriptedServer: Sendable {
    /// The reaction to a text.
    package enum Answer: Sendable {
        case text(String)
        case binary([UInt8])
        case close(UInt16)
    }

    package let url: String
    private let loop: EventLoop

    package init(_ answers: [String: [Answer]]) throws {
        let listener = try ListeningSocket.open(host: "127.0.0.1", port: 0)
        url = "ws://127.0.0.1:\(listener.port)/v1/session"
        loop = try EventLoop(listeners: [listener]) { _ in Handler(answers) }
        loop.start()
    }

    package func stop() { loop.stop() }

    private final class Handler: TransportHandler {
        private let answers: [String: [Answer]]

        init(_ answers: [String: [Answer]]) { self.answers = answers }

        func admit(_ request: UpgradeRequest) -> UpgradeDecision {
            request.path == "/v1/session"
                ? .accept(messageBytesMax: 65_536, tag: 0) : .refuse(HTTPResponse(status: 404))
        }

        func received(_ message: Span<UInt8>, isBinary: Bool, on connection: Connection) {
            var bytes: [UInt8] = []
            for index in message.indices { bytes.append(message[index]) }
            for answer in answers[String(decoding: bytes, as: UTF8.self)] ?? [] {
                switch answer {
                case .text(let text): connection.enqueue(Array(text.utf8), isBinary: false)
                case .binary(let bytes): connection.enqueue(bytes, isBinary: true)
                case .close(let code): connection.close(code: code, reason: "as scripted")
                }
            }
        }

        func opened(_ connection: Connection) {}
        func becameWritable(_ connection: Connection) {}
        func closed(_ connection: Connection) {}
        func respond(to request: HTTPRequest) -> HTTPResponse { HTTPResponse(status: 404) }
        func wakeupFired() {}
    }
}
