package import RefreshBroker
package import RefreshIndicator
package import RefreshProtocol
package import RefreshSession
internal import Testing
internal import WireContract

/// A session whose channel and dispatcher only record. Its clock is `now`, which the test sets.
package final class SessionTester {
    package final class RecordingChannel: Channel {
        /// Every message of a session in a test must conform to the contract, without additional
        /// members.
        private static let contract = MessageCheck(SchemaStyle(isClosed: true))

        package var isWritable = true
        /// Whether each frame is sent completely. If it is false, a part of each frame remains
        /// unsent.
        package var takesWhole = true
        package var frames: [String] = []
        package var closed: CloseCode?
        package var wantsWritable = false
        package var isReadingPaused = false
        package var peer: String?

        package init() {}

        package func send(_ frame: inout ByteBuffer) {
            precondition(isWritable && closed == nil, "sent into a channel that takes nothing")
            let text = String(decoding: frame.bytes, as: UTF8.self)
            frames.append(text)
            isWritable = takesWhole
            for finding in Self.contract.violations(inFrame: text, from: .daemon) {
                Issue.record("the session sent a message that violates the contract: \(finding)")
            }
        }
        package func requestWritable() { wantsWritable = true }
        package func setReadingPaused(_ isReadingPaused: Bool) {
            self.isReadingPaused = isReadingPaused
        }
        package func close(_ code: CloseCode, reason: String) {
            precondition(closed == nil, "closed twice")
            closed = code
        }
    }

    package final class RecordingDispatcher: LoadDispatching {
        package var started: [(LoadTicket, LoadRequest)] = []
        /// The requests with all their members.
        package var wishes: [BrokerRequest] = []
        /// The deadline of each request.
        package var deadlines: [Int] = []
        package var cancelled: [LoadTicket] = []
        /// The reason of each cancellation.
        package var reasons: [LeaveReason] = []
        package var edits: [(ticket: EditTicket, request: EditRequest)] = []

        package init() {}

        package func start(_ ticket: LoadTicket, _ wish: BrokerRequest, deadlineMs: Int) {
            started.append((ticket, wish.request))
            wishes.append(wish)
            deadlines.append(deadlineMs)
        }
        package func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {
            cancelled.append(ticket)
            reasons.append(reason)
        }
        package func edit(_ ticket: EditTicket, _ request: EditRequest, deadlineMs: Int) {
            edits.append((ticket, request))
        }
    }

    package let channel = RecordingChannel()
    package let dispatcher = RecordingDispatcher()
    package let metrics = SessionMetrics()
    package let services: SessionServices
    package let session: Session
    package var now = Instant.origin

    /// Limits under which no timeout wakes the session.
    package static var patient: Limits {
        var limits = Limits()
        limits.idleTimeoutMs = 0
        return limits
    }

    /// The feed of each tester for which the test gives no feeds.
    package static let songs = FeedDescription(
        name: "songs", parameters: ["q"], forward: ["accept-language"], style: .page, size: 10)

    package init(
        limits: Limits = Limits(), feeds: [FeedDescription] = [songs],
        indicators: [NamedProgramme] = []
    ) {
        services = SessionServices(
            limits: limits, feeds: feeds, indicators: IndicatorCatalogue(indicators),
            loads: dispatcher, metrics: metrics)
        session = Session(
            key: SessionKey(loop: 0, slot: 0, generation: 1), name: "test", channel: channel,
            services: services, now: now)
    }

    /// Sends a frame. Returns the messages of the answering frames.
    @discardableResult
    package func send(_ text: String) -> [JSONValue] {
        let before = channel.frames.count
        let bytes = Array(text.utf8)
        session.receive(bytes.span, at: now)
        return messages(from: before)
    }

    /// Sends a frame. The answers remain in the channel.
    package func feed(_ text: String) {
        let bytes = Array(text.utf8)
        session.receive(bytes.span, at: now)
    }

    /// Returns the messages of the frames from `start` on. Batches are flattened.
    package func messages(from start: Int) -> [JSONValue] {
        channel.frames[start...].flatMap { frame -> [JSONValue] in
            guard let value = try? JSONValue(parsing: frame) else { return [.string(frame)] }
            return value.array ?? [value]
        }
    }

    /// Sends `hello` and attaches `list`, with a feed or with the client as backend. Returns the
    /// answers.
    @discardableResult
    package func open(
        feed: String? = nil, frames: String = #""plain""#, features: String? = nil,
        extra: String = ""
    ) -> [JSONValue] {
        let features = features.map { #","features":\#($0)"# } ?? ""
        send(#"{"type":"hello","protocol":1,"frames":\#(frames)\#(features)}"#)
        let feed = feed.map { #","feed":"\#($0)""# } ?? ""
        return send(
            """
            {"type":"attach","seq":1,"view":"list","profile":"iqpulltorefresh"\(feed),
             "geometry":{"viewport":{"width":390,"height":800},
             "content":{"width":390,"height":4000}}\(extra)}
            """)
    }
}
