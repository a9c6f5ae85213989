internal import RefreshProtocol
internal import ScenarioKit

/// Compares a server's outputs with the recorded ones, view by view. Source: docs/journal.md, "What
/// is compared".
struct OutputComparison {
    /// Two outputs that do not match: the next recorded output and the next replayed one. The
    /// recorded output is nil if nothing more was recorded, and the replayed output is nil if
    /// nothing more arrived.
    struct Mismatch {
        var recorded: ServerOutput?
        var got: ServerOutput?
        var field: JSONDifference
    }

    /// The identity of an output that follows a finger. `ack` is the sequence number of the message
    /// that the output answers.
    private struct Answer: Hashable {
        var view: String
        var subject: String
        var ack: Double
    }

    /// The state of one view in the recording and in the replay.
    private struct ViewState {
        /// Indices in `recorded` of outputs that have not arrived yet.
        var awaited: [Int] = []
        /// The values of `ack` in the outputs about the view, in the recording and in the replay.
        var recordedAcks: Set<Double> = []
        var acks: Set<Double> = []
        /// The time at which the last timed movement of the list in the replay ends.
        var movementEnd: Double?
    }

    private let recorded: [ServerOutput]
    private var viewStates: [String: ViewState] = [:]
    private var answers: [Answer: ServerOutput] = [:]
    private var answered: Set<Answer> = []
    /// The names of loads and the generation numbers that the current server has assigned. The keys
    /// are the view and the recorded name or number.
    private var loads: [String: String] = [:]
    private var namedLoads: Set<String> = []
    private var generations: [String: Double] = [:]

    /// The number of outputs that agreed.
    private(set) var matchCount = 0

    /// Creates a comparison with the recorded outputs, in order.
    init(_ recorded: [ServerOutput]) {
        var recorded = recorded
        var movementEnds: [String: Double] = [:]
        for index in recorded.indices {
            let view = recorded[index].view
            recorded[index].normalizeMovement(after: movementEnds[view])
            if let end = recorded[index].movementEnd { movementEnds[view] = end }
        }
        self.recorded = recorded
        for (index, output) in recorded.enumerated() {
            if let ack = output.ack {
                viewStates[output.view, default: ViewState()].recordedAcks.insert(ack)
            }
            if output.durability == .ackOnly { continue }
            if let answer = Self.answer(output) {
                if answers[answer] == nil { answers[answer] = output }
            } else {
                viewStates[output.view, default: ViewState()].awaited.append(index)
            }
        }
    }

    /// Returns the first recorded output before `end` that has not arrived; nil if all have
    /// arrived.
    func missing(before end: Int) -> ServerOutput? {
        viewStates.values.compactMap(\.awaited.first).filter { $0 < end }.min().map { recorded[$0] }
    }

    /// Returns the current name of a recorded load of a view.
    func currentLoad(_ name: String, of view: String) -> String? { loads["\(view)/\(name)"] }
    /// Returns the current name of a recorded load of any view.
    func currentLoad(_ name: String) -> String? {
        loads.first { $0.key.hasSuffix("/\(name)") }?.value
    }
    func currentGeneration(_ number: Double, of view: String) -> Double? {
        generations["\(view)/\(number)"]
    }

    /// Processes an output of the server. Returns nil if the output agrees with the recording, or
    /// cannot be compared yet.
    mutating func compare(_ got: ServerOutput) -> Mismatch? {
        if let ack = got.ack { viewStates[got.view, default: ViewState()].acks.insert(ack) }
        if got.durability == .ackOnly { return nil }
        var got = got
        got.normalizeMovement(after: viewStates[got.view]?.movementEnd)
        if let end = got.movementEnd { viewStates[got.view]?.movementEnd = end }
        if let answer = Self.answer(got) {
            guard answered.insert(answer).inserted, let recorded = answers[answer] else {
                return nil
            }
            guard let field = recorded.difference(from: got) else {
                matchCount += 1
                return nil
            }
            return Mismatch(recorded: recorded, got: got, field: field)
        }
        while let index = viewStates[got.view]?.awaited.first {
            let expected = recorded[index]
            guard let field = expected.difference(from: got) ?? mapNames(expected, got) else {
                viewStates[got.view]?.awaited.removeFirst()
                matchCount += 1
                return nil
            }
            if isSuperseded(got, by: expected, acks: viewStates[got.view]?.recordedAcks) {
                return nil
            }
            guard isSuperseded(expected, by: got, acks: viewStates[got.view]?.acks) else {
                return Mismatch(recorded: expected, got: got, field: field)
            }
            viewStates[got.view]?.awaited.removeFirst()
        }
        return Mismatch(
            recorded: nil, got: got,
            field: JSONDifference(path: got.path, expected: nil, got: got.value))
    }

    /// Returns whether `one` may be absent on the other side (the recording or the replay). It may
    /// be absent if the other side has no output for the same `ack`, and `next`, the next output of
    /// the other side, has a later `ack`.
    private func isSuperseded(_ one: ServerOutput, by next: ServerOutput, acks: Set<Double>?)
        -> Bool
    {
        guard one.durability == .replaceable, let ack = one.ack, let later = next.ack, ack < later
        else { return false }
        return acks?.contains { ack <= $0 && $0 < later } != true
    }

    /// Maps the recorded names of a load and a generation to the current ones, because each server
    /// assigns its own names. Returns nil if every recorded load corresponds to exactly one current
    /// load.
    private mutating func mapNames(_ expected: ServerOutput, _ got: ServerOutput) -> JSONDifference?
    {
        if let then = expected.generation, let now = got.generation {
            generations["\(expected.view)/\(then)"] = now
        }
        guard let then = expected.load else { return nil }
        let key = "\(expected.view)/\(then)"
        guard let now = got.load, loads[key] ?? now == now,
            loads[key] != nil || namedLoads.insert("\(expected.view)/\(now)").inserted
        else {
            return JSONDifference(
                path: expected.messagePath + ".load", expected: .string(loads[key] ?? then),
                got: got.load.map(JSONValue.string))
        }
        loads[key] = now
        return nil
    }

    private static func answer(_ output: ServerOutput) -> Answer? {
        guard output.durability == .fingerFollowing, let ack = output.ack else { return nil }
        return Answer(view: output.view, subject: output.subject, ack: ack)
    }
}
