internal import RefreshBroker
import RefreshProtocol
internal import RefreshServer
internal import RefreshSession
internal import WireContract

/// Interprets the lines of a journal. It collects the messages with their times and senders, and
/// their effects on views.
struct JournalTranscript {
    /// The time of the current line, in milliseconds since the start.
    private(set) var t = 0.0
    private(set) var recorders: [ViewRecorder] = []
    private(set) var messages: [RecordedMessage] = []
    private(set) var absences: [ClosedRange<Double>] = []
    private(set) var end: String?
    private var lostAt: Double?
    /// Whether the client is in `local` mode and renders by the control law.
    private var isLocal = false
    private let began: Instant

    init(began: Instant) { self.began = began }

    mutating func append(_ line: JournalLine) {
        switch line {
        case .header, .end: break
        case .input(let at, let input):
            advance(to: at.milliseconds(since: began))
            applyInput(input)
        case .output(let output): applyOutput(output)
        case .observed(let at, let output):
            advance(to: at.milliseconds(since: began))
            applyOutput(output)
        }
    }

    /// Ends the transcript at the time at which all running animations have reached their targets.
    mutating func finish() {
        for index in recorders.indices { t = max(t, recorders[index].advanceToRest(after: t)) }
        for index in recorders.indices { recorders[index].finish(at: t) }
        if let lostAt { absences.append(lostAt...max(t, lostAt)) }
    }

    private mutating func advance(to next: Double) {
        t = max(t, next)
        for index in recorders.indices { recorders[index].advance(to: t) }
    }

    private mutating func applyInput(_ input: SessionInput) {
        switch input {
        case .frame(let bytes): recordFrame(bytes, from: .client)
        case .resumed(let handshake, _):
            if let lostAt { absences.append(lostAt...max(t, lostAt)) }
            lostAt = nil
            recordFrame(handshake.text, from: .client)
            for held in handshake.held { recordFrame(held, from: .client) }
        case .lost: lostAt = t
        case .load(let id, let view, let event):
            if case .ended(let outcome) = event { endLoad(id, of: view, outcome.outcomeText) }
        case .closed: end = "closed"
        case .left: end = "the session continues elsewhere"
        case .end(let code): end = "ended by the daemon: \(code.rawValue)"
        case .begun, .binary, .writable, .channel, .changed, .edited, .wake, .held, .draining,
            .known, .identified, .refused, .rebuilt, .sealed:
            break
        }
    }

    private mutating func applyOutput(_ output: JournalOutput) {
        switch output {
        case .frame(let bytes): recordFrame(bytes, from: .daemon)
        // A look-up is not a load.
        case .start(_, _, let brokerRequest, _) where brokerRequest.isLookUp: break
        case .start(let id, let view, let brokerRequest, _):
            let request = brokerRequest.request
            let title =
                "\(request.kind.rawValue) \(id), page \(request.page), \(request.size) items"
            withRecorder(of: "\(view)") { $0.recordLoadStart(id, title, at: $1) }
        case .cancel(let id, let view, _): endLoad(id, of: view, "cancelled")
        case .close(let code, let reason):
            end = "closed with \(code)" + (reason.isEmpty ? "" : ", \(reason)")
        case .wait, .identify, .resume, .edit: break
        }
    }

    private mutating func endLoad(_ id: LoadID, of view: ViewID, _ outcome: String) {
        withRecorder(of: "\(view)") { $0.recordLoadEnd(id, outcome, at: $1) }
    }

    private mutating func recordFrame(_ bytes: [UInt8], from sender: RecordedMessage.Sender) {
        guard let value = try? JSONValue(parsing: bytes) else {
            return recordMessage(
                "not JSON", of: "", .string(String(decoding: bytes, as: UTF8.self)), sender)
        }
        for message in value.array ?? [value] {
            let view = message["view"]?.string ?? ""
            let type = message["type"]?.string ?? "?"
            recordMessage(type, of: view, message, sender)
            if type == "hello", sender == .client {
                let frames = message["frames"]
                isLocal = (frames?["mode"] ?? frames)?.string == "local"
            }
            for attach in message["views"]?.array ?? [] where sender == .client {
                applyClientMessage("attach", attach)
            }
            if sender == .client {
                applyClientMessage(type, message)
            } else {
                applyDaemonMessage(type, message)
            }
        }
    }

    private mutating func recordMessage(
        _ type: String, of view: String, _ value: JSONValue, _ sender: RecordedMessage.Sender
    ) {
        messages.append(
            RecordedMessage(t: t, sender: sender, type: type, view: view, value: value))
    }

    private mutating func applyClientMessage(_ type: String, _ message: JSONValue) {
        guard let view = message["view"]?.string else { return }
        if type == "loadFinished" {
            guard let id = message["load"]?.string.flatMap({ LoadID($0) }) else { return }
            let outcome = message["result"]?.string ?? "success"
            return withRecorder(of: view) { $0.recordLoadEnd(id, outcome, at: $1) }
        }
        withRecorder(of: view) { $0.applyClientMessage(type, message, at: $1) }
    }

    private mutating func applyDaemonMessage(_ type: String, _ message: JSONValue) {
        guard let view = message["view"]?.string else { return }
        if type == "load", let id = message["load"]?.string.flatMap({ LoadID($0) }) {
            let title = "\(message["kind"]?.string ?? "load") \(id), by the client"
            return withRecorder(of: view) { $0.recordLoadStart(id, title, at: $1) }
        }
        withRecorder(of: view) { $0.applyDaemonMessage(type, message, at: $1) }
    }

    /// Calls `body` with the recorder of a view. The recorder is created when a message first names
    /// the view.
    private mutating func withRecorder(
        of view: String, _ body: (inout ViewRecorder, Double) -> Void
    ) {
        if let index = recorders.firstIndex(where: { $0.view.name == view }) {
            return body(&recorders[index], t)
        }
        var recorder = ViewRecorder(view, isLocal: isLocal, at: t)
        body(&recorder, t)
        recorders.append(recorder)
    }
}

extension LoadOutcome {
    fileprivate var outcomeText: String {
        switch self {
        case .page(let page): "\(page.count) items"
        case .failed(let failure): "failed: \(failure.code)"
        case .cancelled: "cancelled"
        case .timedOut: "timed out"
        }
    }
}
