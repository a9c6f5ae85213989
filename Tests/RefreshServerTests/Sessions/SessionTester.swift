import RefreshBroker
import RefreshIndicator
import RefreshProtocol
import RefreshServer
import RefreshSession
import Testing
import WireContract

/// A session on a channel and a dispatcher that only record, with time as an argument.
final class SessionTester {
    final class RecordingChannel: Channel {
        /// Whatever a session says in a test must be in the contract, and no more.
        private static let contract = MessageCheck(SchemaStyle(isClosed: true))

        var isWritable = true
        /// Whether each frame goes at once; else a part of it stays.
        var takesWhole = true
        var frames: [String] = []
        var closed: CloseCode?
        var wantsWritable = false
        var isHeldBack = false
        var peer: String?

        func send(_ frame: inout ByteBuffer) {
            precondition(isWritable && closed == nil, "sent into a channel that takes nothing")
            let text = String(decoding: frame.bytes, as: UTF8.self)
            frames.append(text)
            isWritable = takesWhole
            for finding in Self.contract.violations(inFrame: text, from: .daemon) {
                Issue.record("said what the contract does not know: \(finding)")
            }
        }
        func requestWritable() { wantsWritable = true }
        func setReadingPaused(_ isHeldBack: Bool) { self.isHeldBack = isHeldBack }
        func close(_ code: CloseCode, reason: String) {
            precondition(closed == nil, "closed twice")
            closed = code
        }
    }

    final class RecordingDispatcher: LoadDispatching {
        var started: [(LoadTicket, LoadRequest)] = []
        /// What was asked for, whole.
        var wishes: [BrokerRequest] = []
        /// Of each that was asked for.
        var deadlines: [Int] = []
        var cancelled: [LoadTicket] = []
        /// Of each that was cancelled.
        var reasons: [LeaveReason] = []
        func start(_ ticket: LoadTicket, _ wish: BrokerRequest, deadlineMs: Int) {
            started.append((ticket, wish.request))
            wishes.append(wish)
            deadlines.append(deadlineMs)
        }
        func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {
            cancelled.append(ticket)
            reasons.append(reason)
        }
    }

    let channel = RecordingChannel()
    let dispatcher = RecordingDispatcher()
    let metrics = SessionMetrics()
    let session: Session
    var now = Instant.origin

    /// Bounds under which silence wakes nobody.
    static var patient: Limits {
        var limits = Limits()
        limits.idleTimeoutMs = 0
        return limits
    }

    init(limits: Limits = Limits(), indicators: [NamedProgramme] = []) {
        let services = SessionServices(
            limits: limits,
            feeds: [
                FeedDescription(
                    name: "songs", parameters: ["q"], forward: ["accept-language"], style: .page,
                    size: 10)
            ],
            indicators: IndicatorCatalogue(indicators), loads: dispatcher, metrics: metrics)
        session = Session(
            key: SessionKey(loop: 0, slot: 0, generation: 1), name: "test", channel: channel,
            services: services, now: now)
    }

    /// Sends a frame; returns the messages of the frames that answer.
    @discardableResult
    func send(_ text: String) -> [JSONValue] {
        let before = channel.frames.count
        let bytes = Array(text.utf8)
        session.receive(bytes.span, at: now)
        return messages(from: before)
    }

    /// Sends a frame; the answers stay with the channel.
    func feed(_ text: String) {
        let bytes = Array(text.utf8)
        session.receive(bytes.span, at: now)
    }

    /// The messages of the frames from `start` on, batches flattened.
    func messages(from start: Int) -> [JSONValue] {
        channel.frames[start...].flatMap { frame -> [JSONValue] in
            guard let value = try? JSONValue(parsing: frame) else { return [.string(frame)] }
            return value.array ?? [value]
        }
    }

    /// Says hello and attaches `list`, on a feed or with the client as backend; returns what
    /// answers.
    @discardableResult
    func open(
        feed: String? = nil, frames: String = #""plain""#, extra: String = ""
    ) -> [JSONValue] {
        send(#"{"type":"hello","protocol":1,"frames":\#(frames)}"#)
        let feed = feed.map { #","feed":"\#($0)""# } ?? ""
        return send(
            """
            {"type":"attach","seq":1,"view":"list","profile":"iqpulltorefresh"\(feed),
             "geometry":{"viewport":{"width":390,"height":800},
             "content":{"width":390,"height":4000}}\(extra)}
            """)
    }
}
