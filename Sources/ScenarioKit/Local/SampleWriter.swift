internal import RefreshProtocol

/// Numbers the messages of a client about one view, and encodes its samples.
struct SampleWriter {
    let view: String
    private(set) var seq: Int

    /// Creates a writer. `seq` is the last number that was used.
    init(view: String, after seq: Int) {
        self.view = view
        self.seq = seq
    }

    mutating func sampleMessage(
        _ sample: HandSample, phase: ScrollPhase? = nil, with extra: [(String, Double?)] = []
    ) -> JSONValue {
        var members: [JSONValue.Member] = []
        switch sample.position {
        case .offset(let offset):
            members = nextHeader("scroll", t: sample.t) + [.init("offset", .number(offset))]
        case .travel(let travel):
            members = nextHeader("pan", t: sample.t) + [.init("translation", .number(travel))]
        }
        members.append(.init("phase", .string((phase ?? sample.phase).rawValue)))
        if sample.phase == .ended, phase == nil || phase == .ended, sample.velocity != 0 {
            members.append(.init("velocity", .number(sample.velocity)))
        }
        if sample.cause != .finger {
            members.append(.init("cause", .string(sample.cause.rawValue)))
        }
        for (name, value) in extra {
            if let value { members.append(.init(name, .number(value))) }
        }
        return .object(members)
    }

    /// Returns `message` with the view and the next number.
    mutating func numberedMessage(_ message: JSONValue) -> JSONValue {
        guard case .object(let members) = message else { return message }
        seq += 1
        return .object(
            members + [.init("view", .string(view)), .init("seq", .number(Double(seq)))])
    }

    private mutating func nextHeader(_ type: String, t: Double) -> [JSONValue.Member] {
        seq += 1
        return [
            .init("type", .string(type)), .init("view", .string(view)),
            .init("seq", .number(Double(seq))), .init("t", .number(t)),
        ]
    }
}
