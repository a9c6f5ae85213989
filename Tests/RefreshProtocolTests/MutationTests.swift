import RefreshProtocol
import Testing

/// Decodes damaged frames.
@Suite struct MutationTests {
    /// The faults that can result from decoding a frame.
    private static let decodingFaults: Set<FaultCode> = [
        .malformedJSON, .depthExceeded, .stringTooLong, .numberOutOfRange, .duplicateField,
        .batchTooLong, .unknownType, .missingField, .invalidField, .valueOutOfRange,
        .unsupportedFrames,
    ]

    @Test(
        "10,000 damaged frames give messages that Foundation also reads, or registered faults",
        arguments: 1...10)
    func damaged(_ part: Int) {
        var random = SeededGenerator("decoder damaged \(part)", seed: 300 + UInt64(part))
        var decoder = MessageDecoder(limits: Limits(), features: .all)
        var messages = 0
        var faults: [FaultCode: Int] = [:]
        for _ in 0..<500 {
            let frame = Array(JSONSamples.frame(&random).text.utf8)
            for _ in 0..<20 {
                let damaged = JSONSamples.mutated(frame, &random)
                let outcomes = decoder.outcomes(of: damaged)
                if let trouble = trouble(outcomes, of: damaged) {
                    Issue.record("\(trouble): \(String(decoding: damaged, as: UTF8.self))")
                    return
                }
                for outcome in outcomes {
                    if let fault = outcome.fault { faults[fault.code, default: 0] += 1 }
                    if outcome.message != nil { messages += 1 }
                }
            }
        }
        // The test is useful only if many damaged frames contain messages, and many kinds of fault
        // occur.
        #expect(messages > 500, "\(messages) messages, \(faults)")
        #expect(faults.count >= 8, "\(messages) messages, \(faults)")
    }

    @Test("Random bytes never give a message")
    func noise() {
        var random = SeededGenerator("decoder noise", seed: 320)
        var decoder = MessageDecoder(limits: Limits(), features: .all)
        for _ in 0..<5_000 {
            let bytes = (0..<random.below(60)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let outcomes = decoder.outcomes(of: bytes)
            guard trouble(outcomes, of: bytes) == nil, outcomes.allSatisfy({ $0.message == nil })
            else {
                Issue.record("\(outcomes) from \(bytes)")
                return
            }
        }
    }

    @Test("A frame that is cut off at any byte gives one fault", arguments: MessageRule.all)
    func cutOff(_ rule: MessageRule) {
        var random = SeededGenerator("cut off \(rule.type)", seed: 321)
        let frame = Array(rule.full(&random).text.utf8)
        var decoder = MessageDecoder(limits: Limits(), features: .all)
        for length in 0..<frame.count {
            let outcomes = decoder.outcomes(of: Array(frame[..<length]))
            #expect(outcomes == [.fault(Fault(.malformedJSON))], "cut at \(length)")
        }
    }

    @Test("20,000 valid messages decode, and scroll and pan have the values that Foundation reads")
    func sound() {
        var random = SeededGenerator("decoder sound", seed: 322)
        var decoder = MessageDecoder(limits: Limits(), features: .all)
        for _ in 0..<20_000 {
            let frame = Array(JSONSamples.message(&random).text.utf8)
            let outcomes = decoder.outcomes(of: frame)
            guard outcomes.count == 1, outcomes[0].message != nil,
                trouble(outcomes, of: frame) == nil
            else {
                Issue.record("\(outcomes) from \(String(decoding: frame, as: UTF8.self))")
                return
            }
        }
    }

    /// The error in the outcomes of a frame; nil if there is none.
    private func trouble(_ outcomes: [Outcome], of frame: [UInt8]) -> String? {
        let faults = outcomes.compactMap(\.fault)
        if let fault = faults.first(where: { !Self.decodingFaults.contains($0.code) }) {
            return "a fault of no decoder: \(fault)"
        }
        guard faults.count < outcomes.count || outcomes.isEmpty else { return nil }
        guard let value = FoundationJSON.read(frame) else { return "Foundation refuses" }
        let objects = value.array ?? [value]
        guard objects.count == outcomes.count else { return "\(outcomes.count) outcomes" }
        for (outcome, object) in zip(outcomes, objects) {
            guard let message = outcome.message else { continue }
            guard message.agrees(with: object) else { return "\(message) is not \(object)" }
        }
        return nil
    }
}

extension ClientMessage {
    /// Whether the type and the header are those that Foundation reads. For scroll and pan, all
    /// members are compared.
    fileprivate func agrees(with object: JSONValue) -> Bool {
        guard let type = object["type"]?.string else { return false }
        if let header {
            guard header.view.description == object["view"]?.string,
                Double(header.seq) == object["seq"]?.number,
                header.generation.map(Double.init) == object["generation"]?.number
            else { return false }
        }
        switch self {
        case .scroll(_, let sample):
            return type == "scroll" && sample.offset == object["offset"]?.number
                && sample.phase.rawValue == object["phase"]?.string
                && sample.velocity == object["velocity"]?.number ?? 0
                && sample.cause.rawValue == object["cause"]?.string ?? "finger"
        case .pan(_, let sample):
            return type == "pan" && sample.translation == object["translation"]?.number
                && sample.phase.rawValue == object["phase"]?.string
                && sample.velocity == object["velocity"]?.number ?? 0
                && sample.cause.rawValue == object["cause"]?.string ?? "finger"
        case .ping(let time): return type == "ping" && time == object["t"]?.number
        default: return String(describing: self).hasPrefix(type)
        }
    }
}
