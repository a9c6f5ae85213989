import RefreshBroker
import RefreshProtocol
import RefreshServer
import RefreshSession
import Synchronization
import Workbench

/// A real session with one view and a real broker. The test advances the session's time. The broker
/// uses the system's clock.
final class SessionHarness {
    private final class RecordingChannel: Channel {
        var frames: [String] = []
        var isWritable: Bool { true }

        func send(_ frame: inout ByteBuffer) {
            frames.append(String(decoding: frame.bytes, as: UTF8.self))
        }
        func requestWritable() {}
        func setReadingPaused(_ isReadingPaused: Bool) {}
        func close(_ code: CloseCode, reason: String) {}
    }

    private final class Loads: LoadDispatching {
        let broker: Broker<LoadTicket>
        let deadlineMs: Int?

        init(_ broker: Broker<LoadTicket>, deadlineMs: Int?) {
            self.broker = broker
            self.deadlineMs = deadlineMs
        }

        func start(_ ticket: LoadTicket, _ request: BrokerRequest, deadlineMs: Int) {
            broker.start(request, for: ticket, deadlineMs: self.deadlineMs ?? deadlineMs)
        }
        func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {
            broker.cancel(ticket, because: reason)
        }
    }

    private let channel = RecordingChannel()
    private let broker: Broker<LoadTicket>
    private let ends = LockedList<(LoadTicket, LoadOutcome)>()
    private var endsTaken = 0
    private let session: Session
    private var now = Instant.origin
    private var sequence = 1

    /// Creates the session. If `backend` is nil, the client is the view's backend.
    init(
        _ backend: (any Backend)?, paging: PagingStyle = .page, deadlineMs: Int = 60_000,
        limits: Limits = Limits()
    ) {
        let ends = ends
        let feeds = backend.map { ["feed": BrokerPlan.Feed($0, group: "feed")] } ?? [:]
        broker = Broker(
            plan: BrokerPlan(feeds: feeds), seed: 1, itemHash: SipHash(key: 1, 2)
        ) { tickets, event in
            guard case .ended(let outcome) = event else { return }
            for ticket in tickets { ends.append((ticket, outcome)) }
        }
        let description = FeedDescription(name: "feed", style: paging, size: 20)
        session = Session(
            key: SessionKey(loop: 0, slot: 0, generation: 1), name: "contract", channel: channel,
            services: SessionServices(
                limits: limits, feeds: backend == nil ? [] : [description],
                loads: Loads(broker, deadlineMs: deadlineMs), metrics: SessionMetrics()),
            now: now)
        sendFrame(#"{"type":"hello","protocol":1}"#)
        let feed = backend == nil ? #""paging":{"style":"page","size":20}"# : #""feed":"feed""#
        send(
            "attach",
            """
            "profile":"iqpulltorefresh",\(feed),"geometry":{"viewport":{"width":390,"height":800},
            "content":{"width":390,"height":4000}}
            """)
    }

    deinit { broker.stop() }

    /// The text frames that were sent so far.
    var frames: [String] { channel.frames }

    /// All messages that were sent so far.
    var messages: [JSONValue] {
        frames.flatMap { frame -> [JSONValue] in
            guard let value = try? JSONValue(parsing: frame) else { return [.string(frame)] }
            return value.array ?? [value]
        }
    }

    func messages(_ type: String) -> [JSONValue] {
        messages.filter { $0["type"]?.string == type }
    }

    /// All `loading` messages whose phase is not `began`.
    var endings: [JSONValue] {
        messages("loading").filter { $0["phase"]?.string != "began" }
    }

    /// The states of the refresh edge that were sent to the client, in order.
    var states: [String] {
        messages.compactMap { $0["top"]?["state"]?.string }
    }

    /// Sends a message about the view, with the next sequence number.
    func send(_ type: String, _ members: String = "") {
        let rest = members.isEmpty ? "" : "," + members
        sendFrame(#"{"type":"\#(type)","seq":\#(sequence),"view":"list"\#(rest)}"#)
        sequence += 1
    }

    private func sendFrame(_ frame: String) {
        let bytes = Array(frame.utf8)
        session.receive(bytes.span, at: now)
    }

    /// Waits until the broker ends a load, and passes the outcome to the session. Returns false if
    /// no load ends in time.
    func awaitEnd() async -> Bool {
        let taken = endsTaken
        guard await becomesTrue({ ends.all.count > taken }) else { return false }
        let (ticket, outcome) = ends.all[taken]
        endsTaken += 1
        session.handle(.load(ticket, .ended(outcome)), at: now)
        return true
    }

    /// Advances the session's time by this duration, and wakes the session at each deadline.
    func advance(milliseconds: Double) {
        let end = now.advanced(byMilliseconds: milliseconds)
        while let deadline = session.nextDeadline, deadline <= end {
            now = max(now, deadline)
            session.handle(.wake, at: now)
        }
        now = end
        session.handle(.wake, at: now)
    }
}
