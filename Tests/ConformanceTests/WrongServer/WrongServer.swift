import RefreshProtocol
import ScenarioKit
import Testing

/// A peer that relays the messages of a correct server, and adds one mistake.
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
        guard let receivedChange = mistake.receivedChange, let frame = try? JSONValue(parsing: text)
        else {
            return try await server.send(text)
        }
        var changed: [JSONValue] = []
        for message in frame.array ?? [frame] { changed += receivedChange(message, &memory) }
        waiting += memory.answers.map { .frame($0.text) }
        memory.answers = []
        // A batch stays a batch, even if the mistake removes all its messages.
        if frame.array == nil, changed.isEmpty { return }
        let isBatch = frame.array != nil || changed.count != 1
        try await server.send(isBatch ? JSONValue.array(changed).text : changed[0].text)
    }

    func receive(until deadline: Instant) async throws(PeerError) -> PeerEvent? {
        while true {
            if !waiting.isEmpty { return waiting.removeFirst() }
            guard let event = try await server.receive(until: deadline) else {
                defer { held = nil }
                return held
            }
            handle(event)
        }
    }

    private func handle(_ event: PeerEvent) {
        switch event {
        case .closed(_, let reason):
            if mistake.forgetsCloses { return }
            waiting.append(mistake.forgetsCodes ? .closed(code: nil, reason: reason) : event)
        case .frame(let text):
            guard let frame = try? JSONValue(parsing: text) else { return waiting.append(event) }
            var changed: [JSONValue] = []
            for message in frame.array ?? [frame] {
                changed += mistake.sentChange.map { $0(message, &memory) } ?? [message]
            }
            put(changed)
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
