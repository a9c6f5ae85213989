internal import RefreshProtocol
internal import ScenarioKit

extension ConformanceReport {
    /// A JSON array of all results.
    package var json: String {
        JSONValue.array(results.map(\.json)).text
    }
}

extension ConformanceStatement {
    /// The case as a JSON object.
    package var json: String { JSONValue.object(members).text }

    fileprivate var members: [JSONValue.Member] {
        [
            JSONValue.Member("id", .string(id)), JSONValue.Member("group", .string(group)),
            JSONValue.Member("name", .string(name)),
            JSONValue.Member("description", .string(description)),
            JSONValue.Member("expectation", .string(expectation)),
            JSONValue.Member("reference", .string(reference)),
            JSONValue.Member("level", .string(level.rawValue)),
            JSONValue.Member("requires", .array(requirements.map { .string($0) })),
        ]
    }
}

extension CaseResult {
    fileprivate var json: JSONValue {
        var value = JSONValue.object(subject.members)
        value["verdict"] = .string(verdict.rawValue)
        value["milliseconds"] = .number(durationMs.rounded())
        value["reason"] = reason.map { .string($0) }
        value["step"] = step.map { .string($0) }
        value["expected"] = expected.map { .string($0) }
        value["came"] = came.map { .string($0) }
        if !differences.isEmpty { value["differences"] = .array(differences.map { .string($0) }) }
        value["exchanges"] = .array(
            transcript.flatMap { phaseTranscript in
                phaseTranscript.exchanges.map { exchange in
                    .object([
                        JSONValue.Member("connection", .string(phaseTranscript.connection)),
                        JSONValue.Member("phase", .string(phaseTranscript.phase)),
                        JSONValue.Member("from", .string("\(exchange.side)")),
                        JSONValue.Member("ms", .number(exchange.afterMs.rounded())),
                        JSONValue.Member("text", .string(exchange.text)),
                    ])
                }
            })
        return value
    }
}
