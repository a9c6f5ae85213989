import Synchronization
import WebSocketTransport

/// A WebSocket server on loopback that records upgrades and closes, and answers on request.
final class ObservingServer: Sendable {
    struct Observed {
        var upgrades: [UpgradeRequest] = []
        var closes: [String] = []
        var bytes = 0
    }

    let url: String
    private let loop: EventLoop
    private let record: Record

    /// The observations, which the loop's thread and the test share.
    private final class Record: Sendable {
        let state = Mutex(Observed())

        func update(_ change: (inout Observed) -> Void) { state.withLock { change(&$0) } }
    }

    /// A text frame `close CODE` closes the connection with this code and the reason `as asked`, a
    /// text frame `cut` cuts it, and all other frames are sent back.
    init() throws {
        let listener = try ListeningSocket.open(host: "127.0.0.1", port: 0)
        url = "ws://127.0.0.1:\(listener.port)"
        let record = Record()
        self.record = record
        loop = try EventLoop(listeners: [listener]) { _ in Handler(record) }
        loop.start()
    }

    deinit { loop.stop() }

    var observed: Observed { record.state.withLock { $0 } }

    private final class Handler: TransportHandler {
        private let record: Record

        init(_ record: Record) { self.record = record }

        var capturedHeaderNames: [String] { ["cookie"] }

        func admit(_ request: UpgradeRequest) -> UpgradeDecision {
            record.update { $0.upgrades.append(request) }
            let offered = request.subprotocols.first
            return .accept(
                messageBytesMax: 16_777_216, tag: 0,
                subprotocol: offered == "refresh.watch.v1" ? 2 : 0)
        }

        func received(_ message: Span<UInt8>, isBinary: Bool, on connection: Connection) {
            let bytes = unsafe message.withUnsafeBufferPointer { unsafe Array($0) }
            record.update { $0.bytes += bytes.count }
            let words = String(decoding: bytes.prefix(100), as: UTF8.self).split(separator: " ")
            switch words.first {
            case "close":
                connection.close(code: UInt16(words.last ?? "") ?? 1_000, reason: "as asked")
            case "cut": connection.terminate()
            default: connection.enqueue(bytes, isBinary: isBinary)
            }
        }

        func closeReceived(code: UInt16, reason: String, on connection: Connection) {
            record.update { $0.closes.append("\(code) \(reason)") }
        }

        func opened(_ connection: Connection) {}
        func becameWritable(_ connection: Connection) {}
        func closed(_ connection: Connection) {}
        func respond(to request: HTTPRequest) -> HTTPResponse { HTTPResponse(status: 404) }
        func wakeupFired() {}
    }
}
