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
        /// When each connection came, in microseconds.
        var opened: [Int64] = []
        /// Frames that came while it stood still.
        var held = 0
        /// How many that may be; nil: it does not stand still.
        var holdsUntil: Int?
        /// Frames that it said.
        var answers = 0
        /// Clients that said good-bye.
        var byes = 0
    }

    /// `silentFrom`: the first frame, of all connections together, that is not answered any more.
    /// `isOdd`: what would not be answered is, with a binary frame and with text that is no
    /// message.
    /// `fault`: told with each answer. `answersEveryMs`: answers all that came in that time, each
    /// client in one frame, as a server does that could not write; nil: at once.
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

    /// Answers nothing from now on until so many more frames have come, or it is let go. Once.
    func hold(untilFrames count: Int) {
        counted.value.withLock { $0.holdsUntil = $0.holdsUntil ?? count }
    }

    /// Answers all that it has held back.
    func letGo() {
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
        /// What is to be answered, by connection.
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
                // What was held back comes first.
                wakeupFired()
                return say(answer, on: connection)
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

        /// Whether a frame that comes now is held back, and whether it is the last one.
        private func holds() -> Hold {
            counted.value.withLock { counts in
                guard let most = counts.holdsUntil, counts.held < most else { return .none }
                counts.held += 1
                return counts.held == most ? .whole : .held
            }
        }

        private func say(_ answer: String, on connection: Connection) {
            counted.value.withLock { $0.answers += 1 }
            connection.enqueue(Array("[\(answer)]".utf8), isBinary: false)
        }

        func becameWritable(_ connection: Connection) {}
        func closed(_ connection: Connection) {
            waiting[ObjectIdentifier(connection)] = nil
        }
        func respond(to request: HTTPRequest) -> HTTPResponse { HTTPResponse(status: 404) }
        func wakeupFired() {
            for (connection, answer) in waiting.values { say(answer, on: connection) }
            waiting = [:]
        }
    }
}
