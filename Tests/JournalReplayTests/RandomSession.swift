import RefreshBroker
import RefreshProtocol
import RefreshSession

/// A session with random inputs: valid and invalid messages, batches, and wake-ups that are due or
/// not due. Its loads have every outcome and late results, and its channel fills up. The same seed
/// gives the same inputs.
final class RandomSession: Channel, LoadDispatching {
    private var random: SeededRandom
    private let itemBytes: Int
    private(set) var now: Instant
    private var seq = 1
    private var waiting: [LoadTicket] = []
    private var ended: [LoadTicket] = []
    private var isClosed = false
    private(set) var isWritable = true
    /// The frames that the session has sent, in order.
    private(set) var frames: [String] = []

    static let key = SessionKey(loop: 2, slot: 7, generation: 9)

    static let feeds = [
        FeedDescription(name: "songs", parameters: ["q", "r"], style: .page, size: 3),
        FeedDescription(name: "tail", style: .cursor),
    ]

    static func limits(seed: UInt64) -> Limits {
        var limits = Limits()
        // Some sessions are closed because the client reads too slowly, and some because of faults.
        if seed % 6 == 0 { limits.queueBytesMax = 65_536 }
        if seed % 2 == 0 { limits.faultBudgetMax = 100_000 }
        if seed % 10 == 5 { limits.faultBudgetMax = 20 }
        // Some sessions receive all animation frames, and some only a few.
        limits.playedBytesPerSecondMax = [0, 400, 12_288][Int(seed % 3)]
        return limits
    }

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        itemBytes = seed % 6 == 0 ? 6000 : 100
        now = Instant(microseconds: Int64(truncatingIfNeeded: seed % 1_000_000_007))
    }

    /// Sends `inputs` inputs to `session`, or fewer if the session closes its channel. Then ends
    /// the connection. `before` is called before each input with the input's number.
    func drive(
        _ session: Session, inputs: Int, before: (Int, Session) -> Void = { _, _ in }
    ) {
        // A client that receives large items reads too slowly. It is never a `stream` client,
        // because only items, and no animation frames, are meant to fill the queue.
        let kinds = itemBytes > 1000 ? ["plain", "local"] : ["plain", "stream", "local"]
        feed(hello(frames: pick(kinds)), session)
        for number in 0..<inputs where !isClosed {
            before(number, session)
            now.microseconds += Int64.random(in: 0...40_000, using: &random)
            step(session)
        }
        session.handle(.closed, at: now)
    }

    private func step(_ session: Session) {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<62: feed(message(), session)
        case 62..<68:
            let count = Int.random(in: 0...5, using: &random)
            let batch = (0..<count).map { _ in message() }
            feed("[" + batch.joined(separator: ",") + "]", session)
        case 68..<72: feed(damaged(message()), session)
        case 72: session.handle(.binary, at: now)
        case 73..<80: endLoad(session)
        case 80: handleLoadEvent(session)
        case 81:
            let later = Int64.random(in: -200_000...400_000, using: &random)
            let start = Instant(microseconds: now.microseconds + max(0, later))
            session.handle(
                .changed(
                    feed: pick(["songs", "none"]), refreshAt: later < -100_000 ? nil : start,
                    count: NewerCount(pick([nil, 0, 3]))),
                at: now)
        case 82..<86:
            isWritable.toggle()
            if isWritable { session.handle(.writable, at: now) }
        case 86: session.handle(.writable, at: now)
        case 87: session.handle(.wake, at: now)
        case 88: rest(session)
        case 89:
            let later = Int64.random(in: 0...500_000, using: &random)
            session.handle(.held(until: Instant(microseconds: now.microseconds + later)), at: now)
        default:
            guard let deadline = session.nextDeadline else { return }
            now = max(now, deadline)
            session.handle(.wake, at: now)
        }
    }

    /// Lets a long time pass, or occasionally ends the session as the daemon would.
    private func rest(_ session: Session) {
        if Int.random(in: 0..<40, using: &random) == 0 {
            session.handle(.end(pick([.draining, .frameTooLarge, .invalidText])), at: now)
        } else {
            now.microseconds += Int64.random(in: 0...40_000_000, using: &random)
        }
    }

    private func feed(_ text: String, _ session: Session) {
        // Occasionally a byte is not UTF-8. In process, no transport checks frames before the
        // session receives them.
        var bytes = Array(text.utf8)
        if Int.random(in: 0..<200, using: &random) == 0 { bytes.append(0xFF) }
        session.receive(bytes.span, at: now)
    }

    private func endLoad(_ session: Session) {
        // Most results arrive once. Some arrive again, and some belong to a detached view.
        let late = ended.randomElement(using: &random)
        guard let ticket = waiting.popLast() ?? late else { return }
        ended.append(ticket)
        session.handle(.load(ticket, .ended(outcome())), at: now)
    }

    /// Delivers an event for a load that is running or has ended.
    private func handleLoadEvent(_ session: Session) {
        guard let ticket = waiting.last ?? ended.last else { return }
        let event: LoadEvent =
            pick([true, false])
            ? .progressed(0.5)
            : .retrying(attempt: 2, afterMs: 7, LoadFailure(.backendFailed, "no \"luck\"\n"))
        session.handle(.load(ticket, event), at: now)
    }

    private func outcome() -> LoadOutcome {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return .cancelled
        case 1: return .timedOut
        case 2:
            return .failed(
                LoadFailure(
                    pick([.backendBusy, .backendRejected]), "no \"luck\"\n",
                    retryAfterMs: pick([nil, 1500])))
        default:
            let count = Int.random(in: 0...4, using: &random)
            let item =
                "{\"é\": \"" + String(repeating: "x", count: count * itemBytes) + "\\u0000\"}"
            let items = "[" + Array(repeating: item, count: count).joined(separator: " ,\n") + "]"
            var page = Page(
                items: Array(items.utf8), count: count, more: pick([nil, true, false]),
                cursor: pick([nil, "c\u{1}/\(count)"]), total: pick([nil, 12]))
            // All items are equal, so most of them are omitted as duplicates.
            if pick([true, false]) {
                page.itemKeys = JSONPointer("").flatMap {
                    ItemKeys(of: page, at: $0, hashedBy: SipHash(key: 1, 2))
                }
            }
            return .page(page)
        }
    }

    private func damaged(_ text: String) -> String {
        var bytes = Array(text.utf8)
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0..<0x7F, using: &random)
        case 1: bytes.removeLast(bytes.count - place)
        default: bytes.insert(contentsOf: Array("\"\\{[é\n".utf8), at: place)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func message() -> String {
        seq += Int.random(in: 0..<30, using: &random) == 0 ? 0 : 1
        let view = pick(["list", "list", "own", "own", "gone"])
        let head = #""seq":\#(seq),"view":"\#(view)""#
        let offset = Double(Int.random(in: -2000...8000, using: &random)) / 16
        let edge = pick(["top", "bottom"])
        return switch Int.random(in: 0..<22, using: &random) {
        case 0..<8:
            #"{"type":"scroll",\#(head),"offset":\#(offset),"phase":"\#(phase())","velocity":\#(offset)}"#
        case 8, 9: #"{"type":"pan",\#(head),"translation":\#(offset),"phase":"\#(phase())"}"#
        case 10: #"{"type":"refresh",\#(head),"cause":"\#(pick(["code", "key"]))"}"#
        case 11: #"{"type":"loadMore",\#(head)}"#
        case 12: #"{"type":"\#(pick(["begin", "end", "cancel", "retry"]))",\#(head)}"#
        case 13:
            #"{"type":"geometry",\#(head),"content":{"width":390,"height":\#(abs(offset) * 9)}}"#
        case 14:
            #"{"type":"enable",\#(head),"edge":"\#(edge)","enabled":\#(Bool.random(using: &random))}"#
        case 15:
            #"{"type":"configure",\#(head),"\#(edge)":{"length":\#(abs(offset) + 1),"preload":0.5}}"#
        case 16:
            #"{"type":"loadFinished",\#(head),"load":"2.\#(Int.random(in: 1...9, using: &random))","result":"success","count":3}"#
        case 17: #"{"type":"loadBegan",\#(head),"load":"2.1","accepted":false}"#
        case 18: #"{"type":"detach",\#(head)}"#
        case 19, 20: attach(view)
        default: #"{"type":"ping","t":\#(offset)}"#
        }
    }

    private func attach(_ view: String) -> String {
        let profile = pick(["iqpulltorefresh", "uikit", "nobody"])
        let source = pick([
            "", #","feed":"songs","parameters":{"q":"a\"é","r":""}"#, #","feed":"tail""#,
            #","feed":"songs","top":{"changes":"silent"}"#,
            #","feed":"songs","top":{"changes":"visible"}"#,
        ])
        return
            #"{"type":"attach","seq":\#(seq),"view":"\#(view)","profile":"\#(profile)"\#(source)}"#
    }

    private func phase() -> String {
        pick([
            "began", "dragging", "dragging", "dragging", "ended", "decelerating", "idle",
            "cancelled",
        ])
    }

    private func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    private func hello(frames: String) -> String {
        #"""
        {"type":"hello","protocol":1,"frames":"\#(frames)","views":[{"view":"list","profile":"iqpulltorefresh","feed":"songs",
        "geometry":{"viewport":{"width":390,"height":300},"content":{"width":390,"height":420}}},
        {"view":"own","profile":"uikit"}]}
        """#
    }

    // MARK: Channel

    func send(_ frame: inout ByteBuffer) {
        precondition(isWritable && !isClosed, "sent into a channel that accepts no frames")
        frames.append(String(decoding: frame.bytes, as: UTF8.self))
        // Occasionally the socket is full after this frame.
        if Int.random(in: 0..<50, using: &random) == 0 { isWritable = false }
    }

    func requestWritable() {}
    func setReadingPaused(_ isReadingPaused: Bool) {}

    func close(_ code: CloseCode, reason: String) { isClosed = true }

    // MARK: LoadDispatching

    func start(_ ticket: LoadTicket, _ brokerRequest: BrokerRequest, deadlineMs: Int) {
        // Other sessions of the loop use this broker too.
        if ticket.session == Self.key { waiting.append(ticket) }
    }
    func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {}
}
