import RefreshProtocol
import RefreshServer
import RefreshSession
import ScenarioKit

/// Determines the messages that a client sends in a given gesture. The client is `LocalClient` or
/// `StreamClient`, which the tests of the control law also use. It sends its messages to a session
/// without a socket, in simulated time.
final class GestureScript: Channel {
    /// The gesture:
    /// `{"frames":"local","hello":{…},"samples":[[ms,phase,offset],…],"loadedAt":ms,"until":ms}`.
    private let gesture: JSONValue
    private var client: any ThinClient
    private var session: Session?
    private var now = 0.0
    /// The messages of the daemon that the client has not handled yet.
    private var news: [String] = []
    private var load: String?
    /// The messages that the client has sent, each with its time.
    private var said: [JSONValue] = []

    /// The time of the daemon's clock when the client's clock shows 0, in milliseconds.
    private static let origin = 1000.0
    private static let view = "list"

    private var instant: Instant { Instant(milliseconds: Self.origin + now) }

    /// - Throws: `BenchmarkError` if the text is not a gesture.
    static func run(_ text: String) throws -> String {
        let script = try GestureScript(JSONValue(parsing: text))
        try script.play()
        return JSONValue.array(script.said).text
    }

    private init(_ gesture: JSONValue) throws {
        self.gesture = gesture
        let silence = Double(Limits().gestureSilenceMs)
        switch gesture["frames"]?.string {
        case "local":
            client = LocalClient(view: Self.view, after: 0, offset: 0, silenceMs: silence)
        case "stream":
            client = StreamClient(view: Self.view, after: 0, offset: 0, silenceMs: silence)
        default: throw BenchmarkError.unexpected("a gesture needs a local or a stream client")
        }
    }

    private func play() throws {
        let services = SessionServices(
            limits: Limits(), feeds: [], loads: NoLoads(), metrics: SessionMetrics(feeds: []))
        session = Session(
            key: SessionKey(loop: 0, slot: 0, generation: 0), name: "bench", channel: self,
            services: services, now: instant)
        post(gesture["hello"]?.text ?? "")
        for case .array(let sample) in gesture["samples"]?.array ?? [] {
            guard sample.count == 3, let t = sample[0].number, let offset = sample[2].number,
                let phase = sample[1].string.flatMap(ScrollPhase.init(rawValue:))
            else { throw BenchmarkError.unexpected("a sample must have time, phase and offset") }
            advance(to: t)
            say(client.handleSample(HandSample(t: t, .offset(offset), phase: phase)))
        }
        advance(to: gesture["loadedAt"]?.number ?? now)
        guard let load else { throw BenchmarkError.unexpected("the gesture has not refreshed") }
        let loaded = JSONValue.object([
            .init("type", .string("loadFinished")), .init("load", .string(load)),
            .init("result", .string("success")), .init("count", .number(50)),
        ])
        say(client.prepareMessage(loaded, at: now))
        advance(to: gesture["until"]?.number ?? now)
    }

    private func say(_ messages: [JSONValue]) {
        guard !messages.isEmpty else { return }
        let text = messages.count == 1 ? messages[0].text : JSONValue.array(messages).text
        said.append(.array([.number(now), .string(text)]))
        post(text)
    }

    private func post(_ text: String) {
        let bytes = Array(text.utf8)
        session?.receive(bytes.span, at: instant)
        hear()
    }

    private func advance(to t: Double) {
        while let deadline = session?.nextDeadline?.milliseconds, deadline - Self.origin <= t {
            now = max(now, deadline - Self.origin)
            session?.handle(.wake, at: instant)
            hear()
        }
        now = t
    }

    private func hear() {
        let texts = news
        news = []
        for case let frame? in texts.map({ try? JSONValue(parsing: $0) }) {
            for message in frame.array ?? [frame] {
                client.receive(message, at: now)
                if message["type"]?.string == "load" { load = message["load"]?.string }
            }
        }
    }

    // MARK: The channel

    var isWritable: Bool { true }

    func send(_ frame: inout ByteBuffer) {
        news.append(String(decoding: frame.bytes, as: UTF8.self))
    }

    func requestWritable() {}
    func setReadingPaused(_ isHeldBack: Bool) {}
    func close(_ code: CloseCode, reason: String) {}
}
