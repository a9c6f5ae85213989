import Foundation
import Synchronization
import WebSocketTransport

/// A server whose reply to each frame is chosen by a test. It answers `hello` with a `welcome`, and
/// resumes each session that a client requests. The answer to a frame has one `pong` for each
/// `ping` in the frame.
final class ScriptedServer: Sendable {
    let url: String
    private let loop: EventLoop
    private let state = State()

    /// A received frame. Connections, and the frames of each connection, are numbered from 0.
    struct Frame: Sendable {
        let connection: Int
        let number: Int
        let text: String
    }

    enum Reply: Sendable {
        case answer
        /// The frame is answered after `release`.
        case hold
        /// The connection is closed with this code.
        case close(UInt16)
    }

    /// `heartbeat` is that of `welcome`, in milliseconds. `message` is sent with each answer.
    init(
        heartbeat: Int = 25_000, message: String? = nil,
        reply: @escaping @Sendable (Frame) -> Reply
    ) throws {
        let listener = try ListeningSocket.open(host: "127.0.0.1", port: 0)
        url = "ws://127.0.0.1:\(listener.port)/v1/session"
        loop = try EventLoop(listeners: [listener]) { [state] _ in
            Handler(state, heartbeat: heartbeat, message: message, reply: reply)
        }
        loop.start()
    }

    /// All received frames, in the order of their arrival.
    var frames: [Frame] { state.value.withLock { $0.frames } }

    /// Answers all frames that were held.
    func release() {
        state.value.withLock { $0.framesAtRelease = $0.framesAtRelease ?? $0.frames.count }
        loop.post { [loop] in loop.scheduleWakeup(at: 0) }
    }

    /// The frames that were received after the first `release`.
    var framesAfterRelease: [Frame] {
        state.value.withLock { Array($0.frames.dropFirst($0.framesAtRelease ?? $0.frames.count)) }
    }

    func stop() { loop.stop() }

    private final class State: Sendable {
        struct Received {
            var frames: [Frame] = []
            var framesAtRelease: Int?
        }
        let value = Mutex(Received())
    }

    private final class Handler: TransportHandler {
        private let state: State
        private let welcome: (_ resumed: Bool) -> String
        private let message: String?
        private let reply: @Sendable (Frame) -> Reply
        /// The number of each connection, and the number of its next frame.
        private var connections: [ObjectIdentifier: (number: Int, frames: Int)] = [:]
        private var openedCount = 0
        private var held: [(connection: Connection, text: String)] = []

        init(
            _ state: State, heartbeat: Int, message: String?,
            reply: @escaping @Sendable (Frame) -> Reply
        ) {
            self.state = state
            self.message = message
            self.reply = reply
            welcome = { resumed in
                #"{"type":"welcome","session":"s","token":"t","heartbeat":\#(heartbeat)"#
                    + (resumed ? #","resumed":true,"ack":0}"# : "}")
            }
        }

        func admit(_ request: UpgradeRequest) -> UpgradeDecision {
            .accept(messageBytesMax: 65_536, tag: 0)
        }

        func opened(_ connection: Connection) {
            connections[ObjectIdentifier(connection)] = (openedCount, 0)
            openedCount += 1
        }

        func received(_ message: Span<UInt8>, isBinary: Bool, on connection: Connection) {
            let key = ObjectIdentifier(connection)
            guard let place = connections[key] else { return }
            connections[key]?.frames += 1
            var bytes: [UInt8] = []
            for index in message.indices { bytes.append(message[index]) }
            let text = String(decoding: bytes, as: UTF8.self)
            let frame = Frame(connection: place.number, number: place.frames, text: text)
            state.value.withLock { $0.frames.append(frame) }
            guard text != #"{"type":"bye"}"# else {
                return connection.close(code: 1000, reason: "")
            }
            switch reply(frame) {
            case .answer: answer(text, on: connection)
            case .hold: held.append((connection, text))
            case .close(let code): connection.close(code: code, reason: "")
            }
        }

        private func answer(_ text: String, on connection: Connection) {
            var messages: [String] = []
            if text.hasPrefix(#"[{"type":"hello""#) {
                messages.append(welcome(text.contains(#""resume":"#)))
            }
            if let message { messages.append(message) }
            for part in text.components(separatedBy: #"{"type":"ping","t":"#).dropFirst() {
                messages.append(#"{"type":"pong","t":\#(part.prefix { $0.isNumber }),"time":1}"#)
            }
            connection.enqueue(Array("[\(messages.joined(separator: ","))]".utf8), isBinary: false)
        }

        func becameWritable(_ connection: Connection) {}
        func closed(_ connection: Connection) {
            connections[ObjectIdentifier(connection)] = nil
            held.removeAll { $0.connection === connection }
        }
        func respond(to request: HTTPRequest) -> HTTPResponse { HTTPResponse(status: 404) }
        func wakeupFired() {
            guard state.value.withLock({ $0.framesAtRelease }) != nil else { return }
            for (connection, text) in held { answer(text, on: connection) }
            held = []
        }
    }
}
