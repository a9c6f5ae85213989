import Glibc
import Synchronization
import WebSocketTransport

/// A minimal server for load tests. The answer to a frame has one `pong` for each `ping` in the
/// frame. The server can hang for a while, like a server that collects garbage.
final class PongingServer: Sendable {
    let url: String
    private let loop: EventLoop
    private let counted: Counted

    struct Counts {
        /// The received frames.
        var frames: [[UInt8]] = []
        /// When each connection was opened, in microseconds.
        var opened: [Int64] = []
        /// The number of frames received while the server hung.
        var held = 0
        /// The number of frames after which the server answers again. Nil if the server does not
        /// hang.
        var holdsUntil: Int?
        /// The number of sent frames.
        var answers = 0
        /// The number of clients that have sent `bye`.
        var byes = 0
    }

    /// Frames from number `silentFrom` on, counted from 1 over all connections, get no answer. If
    /// `isOdd` is true, the server answers each of these frames with a binary frame and an invalid
    /// text. `fault` is sent with each answer. `answersEveryMs` is the interval at which all the
    /// pending answers of a client are sent in one frame. A real server does the same if it could
    /// not write for a while. If `answersEveryMs` is nil, answers are sent at once.
    init(
        silentFrom: Int? = nil, isOdd: Bool = false, fault: String? = nil,
        answersEveryMs: Int64? = nil
    ) throws {
        let listener = try ListeningSocket.open(host: "127.0.0.1", port: 0)
        url = "ws://127.0.0.1:\(listener.port)/v1/session"
        let counted = Counted()
        self.counted = counted
        loop = try EventLoop(listeners: [listener]) { loop in
            Handler(
                counted, loop, silentFrom: silentFrom, isOdd: isOdd, fault: fault,
                everyMs: answersEveryMs)
        }
        loop.start()
    }

    var frames: [[UInt8]] { counted.value.withLock { $0.frames } }
    var answers: Int { counted.value.withLock { $0.answers } }
    var byes: Int { counted.value.withLock { $0.byes } }
    var opened: [Int64] { counted.value.withLock { $0.opened } }
    var held: Int { counted.value.withLock { $0.held } }

    /// From now on, the server answers nothing until `count` further frames have arrived or
    /// `release` is called. A second call of `hold` has no effect.
    func hold(untilFrames count: Int) {
        counted.value.withLock { $0.holdsUntil = $0.holdsUntil ?? count }
    }

    /// Answers all frames that were held.
    func release() {
        counted.value.withLock { $0.holdsUntil = 0 }
        loop.post { [loop] in loop.scheduleWakeup(at: 0) }
    }

    func stop() { loop.stop() }

    private final class Counted: Sendable {
        let value = Mutex(Counts())
    }

    private final class Handler: TransportHandler {
        private let counted: Counted
        private let silentFrom: Int
        private let isOdd: Bool
        private let fault: String?
        private let everyMs: Int64?
        private unowned let loop: EventLoop
        private var count = 0
        /// The pending answers of each connection.
        private var waiting: [ObjectIdentifier: (connection: Connection, answer: String)] = [:]

        init(
            _ counted: Counted, _ loop: EventLoop, silentFrom: Int?, isOdd: Bool,
            fault: String?, everyMs: Int64?
        ) {
            self.counted = counted
            self.loop = loop
            self.everyMs = everyMs
            self.silentFrom = silentFrom ?? .max
            self.isOdd = isOdd
            self.fault = fault
        }

        func admit(_ request: UpgradeRequest) -> UpgradeDecision {
            .accept(messageBytesMax: 65_536, tag: 0)
        }

        func opened(_ connection: Connection) {
            counted.value.withLock { $0.opened.append(MonotonicClock.nowMicroseconds) }
        }

        func received(_ message: Span<UInt8>, isBinary: Bool, on connection: Connection) {
            var bytes: [UInt8] = []
            for index in message.indices { bytes.append(message[index]) }
            counted.value.withLock { $0.frames.append(bytes) }
            count += 1
            let text = String(decoding: bytes, as: UTF8.self)
            guard text != #"{"type":"bye"}"# else {
                counted.value.withLock { $0.byes += 1 }
                return connection.close(code: 1000, reason: "")
            }
            guard count < silentFrom else {
                guard isOdd else { return }
                connection.enqueue([0x5B, 0xFF, 0x00], isBinary: true)
                return connection.enqueue(Array("{pong}".utf8), isBinary: false)
            }
            var answer = fault.map { #"{"type":"error","code":"\#($0)","message":"m"},"# } ?? ""
            for part in text.split(separator: #"{"type":"ping","t":"#).dropFirst() {
                answer += #"{"type":"pong","t":\#(part.prefix { $0.isNumber }),"time":1,"ack":0}"#
            }
            let hold = holds()
            guard hold != .none || everyMs != nil else {
                // The held answers are sent first.
                wakeupFired()
                return send(answer, on: connection)
            }
            let known = waiting[ObjectIdentifier(connection)]?.answer
            waiting[ObjectIdentifier(connection)] = (
                connection, (known.map { $0 + "," } ?? "") + answer
            )
            if hold == .whole { wakeupFired() }
            if let everyMs, waiting.count == 1 {
                loop.scheduleWakeup(at: MonotonicClock.nowMicroseconds + everyMs * 1000)
            }
        }

        private enum Hold {
            case none, held, whole
        }

        /// Returns whether the frame that has just arrived is held, and whether this frame is the
        /// last one to hold.
        private func holds() -> Hold {
            counted.value.withLock { counts in
                guard let most = counts.holdsUntil, counts.held < most else { return .none }
                counts.held += 1
                return counts.held == most ? .whole : .held
            }
        }

        private func send(_ answer: String, on connection: Connection) {
            counted.value.withLock { $0.answers += 1 }
            connection.enqueue(Array("[\(answer)]".utf8), isBinary: false)
        }

        func becameWritable(_ connection: Connection) {}
        func closed(_ connection: Connection) {
            waiting[ObjectIdentifier(connection)] = nil
        }
        func respond(to request: HTTPRequest) -> HTTPResponse { HTTPResponse(status: 404) }
        func wakeupFired() {
            for (connection, answer) in waiting.values { send(answer, on: connection) }
            waiting = [:]
        }
    }
}
