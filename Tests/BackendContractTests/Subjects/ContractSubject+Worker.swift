import RefreshBackends
import RefreshBroker
import RefreshProtocol
import Synchronization
import Testing
import WireContract

extension ContractSubject {
    /// The kind `worker`, with a simulated worker in memory.
    static let worker = ContractSubject("worker", covers: LinePeer.covered) { behaviour in
        let backend = try WorkerBackend(
            WorkerOptions(feeds: ["feed"]), notices: FeedNotices())
        let isHealed = Flag()
        let peer = WorkerPeer(backend, behaviour, isHealed)
        peer.join()
        var rig = LinePeer.rig(backend, behaviour)
        rig.heal = { isHealed.set() }
        rig.holding = [peer]
        return rig
    }
}

/// A worker that has the behaviour, and joins again after it was rejected or has died.
private final class WorkerPeer: WorkerChannel {
    private struct State {
        var worker: WorkerID?
        /// Loads that arrived before `register` returned.
        var early: [JSONValue] = []
    }

    /// The check of messages to the worker. They must conform to the contract and have no other
    /// fields.
    private static let brokerContract = MessageCheck(SchemaStyle(isClosed: true))
    /// The check of the worker's messages, except for its intended mistakes. The messages may have
    /// other fields.
    private static let workerContract = MessageCheck()

    private let backend: WorkerBackend
    private let behaviour: Behaviour
    private let isHealed: Flag
    private let state = Mutex(State())

    init(_ backend: WorkerBackend, _ behaviour: Behaviour, _ isHealed: Flag) {
        self.backend = backend
        self.behaviour = behaviour
        self.isHealed = isHealed
    }

    func join() {
        let worker = backend.register(self, feeds: ["feed"], capacity: 1)
        let early = state.withLock { state in
            state.worker = worker
            defer { state.early = [] }
            return state.early
        }
        for load in early { answer(load, as: worker) }
    }

    func send(_ message: [UInt8]) {
        let text = String(decoding: message, as: UTF8.self)
        check(text, from: .broker)
        guard let value = try? JSONValue(parsing: text), value["type"]?.string == "load"
        else { return }
        let worker = state.withLock { state in
            if state.worker == nil { state.early.append(value) }
            return state.worker
        }
        if let worker { answer(value, as: worker) }
    }

    func reject(_ fault: WorkerMessageFault) { rejoin() }

    func close(sending message: [UInt8]) {
        check(String(decoding: message, as: UTF8.self), from: .broker)
    }

    private func check(_ text: String, from sender: Speaker) {
        let contract = sender == .worker ? Self.workerContract : Self.brokerContract
        for finding in contract.violations(inFrame: text, from: sender) {
            Issue.record("\(sender.rawValue): \(finding)")
        }
    }

    private func rejoin() {
        let lost = state.withLock { state in
            defer { state.worker = nil }
            return state.worker
        }
        if let lost { backend.handleLoss(of: lost) }
        join()
    }

    private func answer(_ load: JSONValue, as worker: WorkerID) {
        let id = load["id"]?.string ?? ""
        guard !isHealed.isSet else {
            return send(#"{"type":"page","id":"\#(id)","items":[{"id":1}]}"#, worker)
        }
        func page(_ items: String, _ more: String = "") {
            send(#"{"type":"page","id":"\#(id)","items":\#(items)\#(more)}"#, worker)
        }
        switch behaviour {
        case .list: list(load, page)
        case .empty: page("[]")
        case .verbatim:
            send(#"{"type":"page","id":"\#(id)","# + OddJSON.envelope.dropFirst(), worker)
        case .duplicates: page(OddJSON.twins)
        case .lifetime: page("[1]", #","maxAgeMs":4000"#)
        case .echo:
            var json = ByteBuffer()
            JSONValue.array([load]).write(to: &json)
            page(String(decoding: json.bytes, as: UTF8.self))
        case .failing(let code, let retryAfterMs): fail(id, code, retryAfterMs, worker)
        case .progress:
            for part in ["0.25", "0.5"] {
                send(#"{"type":"progress","id":"\#(id)","progress":\#(part)}"#, worker)
            }
            page("[1]")
        case .garbage, .wrongTypes, .halfAnswer: pass(LinePeer.broken(behaviour), worker)
        case .gigabyte:
            // The transport reports this fault for a message of a gigabyte.
            backend.handle(WorkerMessageFault(.tooLong(max: 1_048_576)), from: worker)
        case .dying: rejoin()
        case .hanging, .dripping, .redirecting, .trickling: break
        }
    }

    private func list(_ load: JSONValue, _ page: (String, String) -> Void) {
        let first = load["cursor"]?.string.flatMap { Int($0) } ?? 0
        let last = first + 20
        let shown = LinePeer.items.dropFirst(first).prefix(20).joined(separator: ",")
        let more = last < 45 ? #","more":true,"next":"\#(last)""# : #","more":false"#
        page("[\(shown)]", more + #","total":45"#)
    }

    private func fail(_ id: String, _ code: FaultCode, _ retryAfterMs: Int?, _ worker: WorkerID) {
        let temporary = code.isTemporary
        let later = retryAfterMs.map { #","retryAfterMs":\#($0)"# } ?? ""
        send(#"{"type":"failed","id":"\#(id)","temporary":\#(temporary)\#(later)}"#, worker)
    }

    private func send(_ text: String, _ worker: WorkerID) {
        check(text, from: .worker)
        pass(text, worker)
    }

    /// Passes a message to the backend in the same way as the server does.
    private func pass(_ text: String, _ worker: WorkerID) {
        do throws(WorkerMessageFault) {
            backend.handle(
                try WorkerMessageReader.read(Array(text.utf8).span), from: worker)
        } catch {
            backend.handle(error, from: worker)
        }
    }
}
