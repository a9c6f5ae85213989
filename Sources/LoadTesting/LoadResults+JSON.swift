package import RefreshProtocol

extension LoadResults {
    /// The report as a JSON object. Source: docs/refresh-probe.md, "Load".
    package var json: JSONValue {
        .object([
            .init("connections", .number(Double(connections))),
            .init("threads", .number(Double(threads))),
            .init("pace", paceJSON),
            .init("seconds", .number(seconds)),
            .init("sound", .bool(isSound)),
            .init("targets", .array(targets.map(Self.json))),
            .init(
                "generator",
                .object([
                    .init("process", Self.json(generator)), .init("lateUs", Self.json(lag)),
                    .init("atItsLimit", .bool(isGeneratorAtItsLimit)),
                ])),
        ])
    }

    private var paceJSON: JSONValue {
        switch pace {
        case .recorded(let speed, let pause):
            .object([
                .init("kind", .string("recorded")), .init("speed", .number(speed)),
                .init("pauseSeconds", .number(Double(pause) / 1_000_000)),
            ])
        case .rate(let rate):
            .object([.init("kind", .string("rate")), .init("messagesPerSecond", .number(rate))])
        case .closed: .object([.init("kind", .string("closed"))])
        }
    }

    private static func json(_ target: Target) -> JSONValue {
        .object([
            .init("url", .string(target.url)),
            .init("connections", .number(Double(target.connections))),
            .init("notConnected", .number(Double(target.failed))),
            .init("lost", .number(Double(target.lost))),
            .init("closeCodes", counts(target.closeCodes.map { ("\($0)", $1) })),
            .init("faults", counts(target.faults.map { ($0, $1) })),
            .init("unreadable", counts(target.unreadable.map { ($0.rawValue, $1) })),
            .init("messages", .number(Double(target.sent))),
            .init("answered", .number(Double(target.answered))),
            .init("messagesPerSecond", .number(target.messagesPerSecond)),
            .init("bytesSent", .number(Double(target.bytesSent))),
            .init("bytesReceived", .number(Double(target.bytesReceived))),
            .init("latencyUs", json(target.latency)),
            .init("greetingUs", json(target.greeting)),
            .init("process", json(target.server)),
            .init("processEnded", .bool(target.endedProcess != nil)),
            .init("returns", target.returns.map(json) ?? .null),
        ])
    }

    private static func json(_ returns: Returns) -> JSONValue {
        .object([
            .init("resumed", .number(Double(returns.resumed))),
            .init("notResumed", counts(returns.fresh.map { ($0, $1) })),
            .init("repeated", .number(Double(returns.repeated))),
            .init("failedAttempts", .number(Double(returns.failedAttempts))),
            .init("draining", .number(Double(returns.draining))),
            .init("interrupted", .number(Double(returns.interrupted))),
            .init("itemsRepeated", .number(Double(returns.itemsRepeated))),
            .init("itemsMissing", .number(Double(returns.itemsMissing))),
            .init("notBack", .number(Double(returns.away))),
            .init("returnUs", json(returns.times)),
        ])
    }

    private static func json(_ times: Times?) -> JSONValue {
        guard let times else { return .null }
        return .object([
            .init("count", .number(Double(times.count))),
            .init("mean", .number((times.mean * 10).rounded() / 10)),
            .init("p50", .number(Double(times.p50))), .init("p90", .number(Double(times.p90))),
            .init("p99", .number(Double(times.p99))),
            .init("p99.9", .number(Double(times.p999))),
            .init("max", .number(Double(times.max))),
        ])
    }

    private static func json(_ share: ProcessShare?) -> JSONValue {
        guard let share else { return .null }
        return .object([
            .init("cpuPercent", .number(share.cpuPercent)),
            .init(
                "cpuUsPerMessage", share.cpuMicrosecondsPerMessage.map(JSONValue.number) ?? .null),
            .init("residentBytesBefore", .number(Double(share.residentBefore))),
            .init("residentBytes", .number(Double(share.residentAfter))),
        ])
    }

    private static func counts(_ counts: [(String, Int)]) -> JSONValue {
        .object(counts.sorted { $0.0 < $1.0 }.map { .init($0, .number(Double($1))) })
    }
}
