import RefreshBroker
import RefreshProtocol
import RefreshSession

@testable import ScenarioKit

/// A session of the daemon on simulated time, with one client.
final class LawPeer: Channel, LoadDispatching {
    private var session: Session?
    let metrics = SessionMetrics()
    var client: any ThinClient
    /// The messages in transit to the daemon and to the client, with the times of their arrival.
    private var up: [(at: Double, text: String)] = []
    private var down: [(at: Double, text: String)] = []
    let latency: Double
    private(set) var now = 0.0

    /// The loads that were not answered, with their names.
    private(set) var loads: [Load] = []
    /// The loads and their results, in order.
    private(set) var log: [String] = []
    private(set) var messagesSent = 0
    private(set) var bytesSent = 0
    private(set) var bytesReceived = 0
    private(set) var faults: [String] = []
    private(set) var lawsReceived = 0
    /// All messages in both directions. Empty if `keepsWire` is false.
    private(set) var wire: [String] = []
    let keepsWire: Bool
    /// The record of what the client receives, does and shows, and the initial offset of its list.
    private let timeline: LawTimeline?
    private let beginning: Double

    struct Load {
        var name: String
        var ticket: LoadTicket?
    }

    /// The time of the daemon's clock when the client's clock shows 0, in milliseconds.
    static let origin = 1000.0

    private var instant: Instant { Instant(milliseconds: Self.origin + now) }

    init(
        _ attach: RandomAttach, frames: String, latency: Double = 0, keepsWire: Bool = false,
        silenceMs: Double = 5000, timeline: LawTimeline? = nil
    ) {
        self.latency = latency
        self.timeline = timeline
        self.keepsWire = keepsWire
        let given = attach.members.last { $0.name == "offset" }?.value.number
        let rest =
            attach.isMirrored
            ? attach.content - attach.viewport + attach.start : -attach.start
        let place = given ?? rest
        beginning = place
        if frames == "local" {
            client = LocalClient(
                view: "list", after: 0, offset: place, silenceMs: silenceMs,
                isRightToLeft: attach.isRightToLeft)
        } else {
            client = StreamClient(view: "list", after: 0, offset: place, silenceMs: silenceMs)
        }
        let services = SessionServices(
            limits: Limits(),
            feeds: [FeedDescription(name: "songs", parameters: [], style: .page, size: 10)],
            loads: self, metrics: metrics)
        session = Session(
            key: SessionKey(loop: 0, slot: 0, generation: 0), name: "law", channel: self,
            services: services, now: instant)
        let hello = JSONValue.object([
            .init("type", .string("hello")), .init("protocol", .number(1)),
            .init("frames", .string(frames)), .init("views", .array([.object(attach.members)])),
        ])
        post([hello])
    }

    // MARK: Time

    /// Handles all events up to `t`.
    func advance(to t: Double) {
        while true {
            let deadline = session?.nextDeadline.map { $0.milliseconds - Self.origin }
            let next = [up.first?.at, down.first?.at, deadline].compactMap { $0 }.min()
            guard let next, next <= t else { break }
            now = max(now, next)
            if let first = up.first, first.at <= now {
                up.removeFirst()
                let bytes = Array(first.text.utf8)
                session?.receive(bytes.span, at: instant)
            } else if let first = down.first, first.at <= now {
                down.removeFirst()
                receive(first.text)
            } else {
                session?.handle(.wake, at: instant)
            }
        }
        now = t
    }

    // MARK: The client

    func move(_ sample: HandSample) {
        var sample = sample
        sample.t = now
        let messages = client.handleSample(sample)
        timeline?.move(sample, messages, picture)
        post(messages)
    }

    func tick() {
        let messages = client.tick(at: now)
        timeline?.rest(at: now, messages, picture)
        post(messages)
    }

    func send(_ message: JSONValue) {
        let messages = client.prepareMessage(message, at: now)
        timeline?.send(message, at: now, messages, picture)
        post(messages)
    }

    /// Draws a frame.
    func drawFrame() { timeline?.drawFrame(at: now, picture) }

    var picture: DisplayState { client.display(at: now) }

    /// Whether a command of the daemon is moving the list now.
    var isAnimating: Bool { client.isAnimating(at: now) }

    private func post(_ messages: [JSONValue]) {
        guard !messages.isEmpty else { return }
        messagesSent += messages.count
        let text = messages.count == 1 ? messages[0].text : JSONValue.array(messages).text
        bytesSent += text.utf8.count
        if keepsWire { wire.append("\(now) > \(text)") }
        up.append((now + latency, text))
        advance(to: now)
    }

    private func receive(_ text: String) {
        bytesReceived += text.utf8.count
        if keepsWire { wire.append("\(now) < \(text)") }
        guard let frame = try? JSONValue(parsing: text) else { return }
        for message in frame.array ?? [frame] {
            client.receive(message, at: now)
            timeline?.receive(message, offset: beginning, at: now, picture)
            switch message["type"]?.string {
            case "load":
                let name = message["load"]?.string ?? ""
                log.append("load \(name) \(message["kind"]?.string ?? "")")
                loads.append(Load(name: name, ticket: nil))
            case "loading":
                log.append("\(message["phase"]?.string ?? "") \(message["load"]?.string ?? "")")
            case "items": log.append("items \(message["load"]?.string ?? "")")
            case "error": faults.append(message["code"]?.string ?? "")
            default: break
            }
            if message["law"] != nil { lawsReceived += 1 }
        }
    }

    // MARK: The backend

    /// Answers the load of this name, if the load has not ended.
    func answer(_ name: String, _ result: String) {
        guard let index = loads.firstIndex(where: { $0.name == name }) else { return }
        let load = loads.remove(at: index)
        log.append("answer \(name) \(result)")
        if let ticket = load.ticket {
            let outcome: LoadOutcome =
                result == "success"
                ? .page(Page(items: Array("[1,2,3]".utf8), count: 10, more: true))
                : .failed(LoadFailure(.backendFailed, "no"))
            session?.handle(.load(ticket, .ended(outcome)), at: instant)
            advance(to: now)
        } else {
            send(
                .object([
                    .init("type", .string("loadFinished")), .init("load", .string(name)),
                    .init("result", .string(result)), .init("count", .number(10)),
                ]))
        }
    }

    /// The client reports that it has begun to perform the load.
    func begin(_ name: String) {
        guard loads.contains(where: { $0.name == name && $0.ticket == nil }) else { return }
        send(.object([.init("type", .string("loadBegan")), .init("load", .string(name))]))
    }

    func start(_ ticket: LoadTicket, _ brokerRequest: BrokerRequest, deadlineMs: Int) {
        log.append(
            "start \(ticket.load) \(brokerRequest.request.kind) \(brokerRequest.request.page)")
        loads.append(Load(name: "\(ticket.load)", ticket: ticket))
    }

    func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {
        log.append("cancel \(ticket.load)")
        loads.removeAll { $0.ticket == ticket }
    }

    // MARK: The channel

    var isWritable: Bool { true }

    func send(_ frame: inout ByteBuffer) {
        down.append((now + latency, String(decoding: frame.bytes, as: UTF8.self)))
    }

    func requestWritable() {}
    func setReadingPaused(_ isReadingPaused: Bool) {}

    func close(_ code: CloseCode, reason: String) { faults.append("closed \(code.rawValue)") }
}
