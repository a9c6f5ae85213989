import RefreshProtocol
import ScenarioKit

/// Moves the list of a view and produces the messages about it. A `plain` client sends every
/// sample. The `stream` and `local` clients send only the samples that the protocol requires.
struct ViewHand {
    private enum Kind {
        /// The offset, and the `seq` of the first sample of the last movement.
        case plain(offset: Double, began: Int)
        case thin(any ThinClient)
    }

    private let view: String
    private var kind: Kind
    /// Whether the last sample of a plain client reported a list that moves.
    private var isMoving = false

    /// A hand of a list at its start. `seq` is the last number that the session has used. `known`
    /// is the offset of the list that the daemon knows. If it is not 0, a `stream` or `local`
    /// client reports the offset before its next message.
    init(
        view: String, mode: FramesMode, after seq: Int, known: Double, silenceMs: Double,
        at t: Double
    ) {
        self.view = view
        var client: any ThinClient
        switch mode {
        case .plain:
            kind = .plain(offset: 0, began: 0)
            return
        case .stream:
            client = StreamClient(view: view, after: seq, offset: known, silenceMs: silenceMs)
        case .local:
            client = LocalClient(view: view, after: seq, offset: known, silenceMs: silenceMs)
        }
        if known != 0 { _ = client.handleSample(HandSample(t: t, .offset(0), phase: .idle)) }
        kind = .thin(client)
    }

    func offset(at t: Double) -> Double {
        switch kind {
        case .plain(let offset, _): offset
        case .thin(let client): client.display(at: t).offset
        }
    }

    /// The offset that `hello` contains. A list that moves has none, because its client reports the
    /// offset only when the list rests.
    func describedOffset(at t: Double) -> Double? {
        if case .thin(let client) = kind, client.isMoving { nil } else { offset(at: t) }
    }

    /// Whether a command moves the list at `t`.
    func isAnimating(at t: Double) -> Bool {
        switch kind {
        case .plain: false
        case .thin(let client): client.isAnimating(at: t)
        }
    }

    /// Moves the list of a plain client without a message. If the caller reports the offset without
    /// an anchor, in the message `seq`, commands that precede this message have no effect.
    mutating func place(at offset: Double, reportedBy seq: Int? = nil) {
        if case .plain(_, let began) = kind { kind = .plain(offset: offset, began: seq ?? began) }
    }

    mutating func receive(_ message: JSONValue, at t: Double) {
        switch kind {
        case .plain(_, let began):
            guard let to = message["offset"]?["to"]?.number,
                (message["ack"]?.number ?? 0) >= Double(began)
            else { return }
            kind = .plain(offset: to, began: began)
        case .thin(var client):
            client.receive(message, at: t)
            kind = .thin(client)
        }
    }

    /// The messages to send for a sample. `seq` numbers the messages of a plain client.
    mutating func move(_ sample: HandSample, seq: inout Int) -> [JSONValue] {
        switch kind {
        case .plain(var offset, var began):
            seq += 1
            // A wheel moves the list without `began`. Each of its steps is a movement.
            if sample.phase == .began || !isMoving || sample.cause == .wheel { began = seq }
            isMoving = sample.phase != .idle
            if case .offset(let target) = sample.position { offset = target }
            kind = .plain(offset: offset, began: began)
            return [Self.message(sample, view: view, seq: seq)]
        case .thin(var client):
            let messages = client.handleSample(sample)
            kind = .thin(client)
            seq = Self.last(messages, after: seq)
            return messages
        }
    }

    /// Returns `message` with its `view` and `seq`. If the daemon must receive a sample first, the
    /// sample precedes the message.
    mutating func prepareMessage(_ message: JSONValue, at t: Double, seq: inout Int) -> [JSONValue]
    {
        switch kind {
        case .plain:
            seq += 1
            guard case .object(let members) = message else { return [] }
            return [
                .object(
                    members + [
                        .init("view", .string(view)), .init("seq", .number(Double(seq))),
                    ])
            ]
        case .thin(var client):
            let messages = client.prepareMessage(message, at: t)
            kind = .thin(client)
            seq = Self.last(messages, after: seq)
            return messages
        }
    }

    /// The messages that a client sends at intervals while a finger rests.
    mutating func tick(at t: Double, seq: inout Int) -> [JSONValue] {
        guard case .thin(var client) = kind else { return [] }
        let messages = client.tick(at: t)
        kind = .thin(client)
        seq = Self.last(messages, after: seq)
        return messages
    }

    private static func last(_ messages: [JSONValue], after seq: Int) -> Int {
        messages.compactMap { $0["seq"]?.number.map { Int($0) } }.max() ?? seq
    }

    private static func message(_ sample: HandSample, view: String, seq: Int) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("view", .string(view)), .init("seq", .number(Double(seq))),
            .init("t", .number(sample.t)), .init("phase", .string(sample.phase.rawValue)),
        ]
        switch sample.position {
        case .offset(let offset):
            members += [
                .init("type", .string("scroll")), .init("offset", .number(offset)),
            ]
        case .travel(let travel):
            members += [
                .init("type", .string("pan")), .init("translation", .number(travel)),
            ]
        }
        if sample.phase == .ended, sample.velocity != 0 {
            members.append(.init("velocity", .number(sample.velocity)))
        }
        if sample.cause != .finger {
            members.append(.init("cause", .string(sample.cause.rawValue)))
        }
        return .object(members)
    }
}
