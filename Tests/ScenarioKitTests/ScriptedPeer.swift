import RefreshProtocol
import ScenarioKit

/// A daemon with answers from a test. Only `receive` advances its clock.
final class ScriptedPeer: Peer {
    /// The events that a frame from the client causes, each after a number of milliseconds.
    typealias Answer = (_ message: JSONValue, _ seq: Int) -> [(afterMs: Double, event: PeerEvent)]

    private(set) var now = Instant(milliseconds: 1000)
    private(set) var sent: [(at: Instant, value: JSONValue)] = []
    private(set) var raw: [String] = []
    private(set) var isClosed = false
    private var queue: [(at: Instant, event: PeerEvent)] = []
    private let answer: Answer

    init(answer: @escaping Answer = { _, _ in [] }) { self.answer = answer }

    /// The sent messages, without the pings with which the runner synchronises.
    var messages: [JSONValue] { sent.map(\.value).filter { $0["type"] != .string("ping") } }

    func send(_ text: String) async throws(PeerError) {
        guard !isClosed else { throw PeerError("sent after the close") }
        raw.append(text)
        guard let value = try? JSONValue(parsing: text) else { return }
        sent.append((now, value))
        if value["type"] == .string("ping"), let time = value["t"] {
            schedule([(0, .frame("{\"type\":\"pong\",\"t\":\(time.text),\"time\":0,\"ack\":0}"))])
            return
        }
        schedule(answer(value, value["seq"]?.number.map { Int($0) } ?? 0))
    }

    private func schedule(_ events: [(afterMs: Double, event: PeerEvent)]) {
        for (afterMs, event) in events {
            queue.append((now.advanced(byMilliseconds: afterMs), event))
        }
    }

    func receive(until deadline: Instant) async throws(PeerError) -> PeerEvent? {
        guard let next = queue.indices.min(by: { (queue[$0].at, $0) < (queue[$1].at, $1) }),
            queue[next].at <= deadline
        else {
            now = max(now, deadline)
            return nil
        }
        let entry = queue.remove(at: next)
        now = max(now, entry.at)
        return entry.event
    }

    func idle(until deadline: Instant) async {
        now = max(now, min(deadline, queue.map(\.at).min() ?? deadline))
    }

    func close() async { isClosed = true }
}
