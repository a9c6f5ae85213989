import Glibc
import Synchronization
import WebSocketTransport

/// A server of the protocol as far as a load needs one: it answers each frame with the pongs of its
/// pings. It can stand still, as a server does that collects garbage.
final class PongingServer: Sendable {
    let url: String
    private let loop: EventLoop
    private let counted: Counted

    struct Counts {
        /// Frames that came, with their bytes.
        var frames: [[UInt8]] = []
        var connections = 0
    }

    /// `silentFrom`: the first frame, of all connections together, that is not answered any more.
    /// `fault`: told with each answer.
    init(silentFrom: Int? = nil, fault: String? = nil) throws {
        let listener = try ListeningSocket.open(host: "127.0.0.1", port: 0)
        url = "ws://127.0.0.1:\(listener.port)/v1/session"
        let counted = Counted()
        self.counted = counted
        loop = try EventLoop(listeners: [listener]) { _ in
            Handler(counted, silentFrom: silentFrom, fault: fault)
        }
        loop.start()
    }

    var frames: [[UInt8]] { counted.value.withLock { $0.frames } }
    var connections: Int { counted.value.withLock { $0.connections } }

    /// Does nothing at all for so many milliseconds, from now on.
    func stall(ms: UInt32) { loop.post { usleep(ms * 1000) } }

    func stop() { loop.stop() }

    private final class Counted: Sendable {
        let value = Mutex(Counts())
    }

    private final class Handler: TransportHandler {
        private let counted: Counted
        private let silentFrom: Int
        private let fault: String?
        private var count = 0

        init(_ counted: Counted, silentFrom: Int?, fault: String?) {
            self.counted = counted
            self.silentFrom = silentFrom ?? .max
            self.fault = fault
        }

        func admit(_ request: UpgradeRequest) -> UpgradeDecision {
            .accept(messageBytesMax: 65_536, tag: 0)
        }

        func opened(_ connection: Connection) {
            counted.value.withLock { $0.connections += 1 }
        }

        func received(_ message: Span<UInt8>, isBinary: Bool, on connection: Connection) {
            var bytes: [UInt8] = []
            for index in message.indices { bytes.append(message[index]) }
            counted.value.withLock { $0.frames.append(bytes) }
            count += 1
            guard count < silentFrom else { return }
            let text = String(decoding: bytes, as: UTF8.self)
            var answer = fault.map { #"{"type":"error","code":"\#($0)","message":"m"},"# } ?? ""
            for part in text.split(separator: #"{"type":"ping","t":"#).dropFirst() {
                answer += #"{"type":"pong","t":\#(part.prefix { $0.isNumber }),"time":1,"ack":0}"#
            }
            connection.enqueue(Array("[\(answer)]".utf8), isBinary: false)
        }

        func writable(_ connection: Connection) {}
        func closed(_ connection: Connection) {}
        func respond(to request: HTTPRequest) -> HTTPResponse { HTTPResponse(status: 404) }
        func woken() {}
    }
}
