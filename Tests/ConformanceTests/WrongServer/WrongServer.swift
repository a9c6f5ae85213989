import RefreshProtocol
import ScenarioKit
import Testing

/// A correct server behind a peer that adds one mistake.
final class WrongServer: Peer {
    private let server: any Peer
    private let mistake: ServerMistake
    private var memory = ServerMistake.Memory()
    private var waiting: [PeerEvent] = []
    private var held: PeerEvent?

    init(_ server: any Peer, _ mistake: ServerMistake) {
        self.server = server
        self.mistake = mistake
    }

    var now: Instant { server.now }

    func close() async { await server.close() }

    func cut() async { await server.cut() }

    func send(_ text: String) async throws(PeerError) {
        guard let hears = mistake.hears, let frame = try? JSONValue(parsing: text) else {
            return try await server.send(text)
        }
        var heard: [JSONValue] = []
        for message in frame.array ?? [frame] { heard += hears(message, &memory) }
        waiting += memory.answers.map { .frame($0.text) }
        memory.answers = []
        // A batch stays a batch, even if it has become empty.
        if frame.array == nil, heard.isEmpty { return }
        let isBatch = frame.array != nil || heard.count != 1
        try await server.send(isBatch ? JSONValue.array(heard).text : heard[0].text)
    }

    func receive(until deadline: Instant) async throws(PeerError) -> PeerEvent? {
        while true {
            if !waiting.isEmpty { return waiting.removeFirst() }
            guard let event = try await server.receive(until: deadline) else {
                defer { held = nil }
                return held
            }
            take(event)
        }
    }

    private func take(_ event: PeerEvent) {
        switch event {
        case .closed(_, let reason):
            if mistake.forgetsCloses { return }
            waiting.append(mistake.forgetsCodes ? .closed(code: nil, reason: reason) : event)
        case .frame(let text):
            guard let frame = try? JSONValue(parsing: text) else { return waiting.append(event) }
            var said: [JSONValue] = []
            for message in frame.array ?? [frame] {
                said += mistake.says.map { $0(message, &memory) } ?? [message]
            }
            put(said)
        }
    }

    private func put(_ messages: [JSONValue]) {
        guard !messages.isEmpty else { return }
        let frame = PeerEvent.frame(
            messages.count == 1 ? messages[0].text : JSONValue.array(messages).text)
        switch mistake.framing {
        case .right: waiting.append(frame)
        case .apart: waiting += messages.map { .frame($0.text) }
        case .backwards:
            waiting.append(
                .frame(
                    messages.count == 1
                        ? messages[0].text : JSONValue.array(messages.reversed()).text))
        case .late:
            if held == nil, messages.contains(where: { $0["type"]?.string == "update" }) {
                held = frame
            } else {
                waiting += [frame] + (held.map { [$0] } ?? [])
                held = nil
            }
        }
    }
}
