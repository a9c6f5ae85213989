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

    /// The identity of an output whose value follows the motion of a finger
    /// (`Durability.fingerFollowing`). `ack` is the `seq` of the message that the output answers.
    private struct Answer: Hashable {
        var view: String
        var subject: String
        var ack: Double
    }

    /// The state of one view in the recording and in the replay.
    private struct ViewState {
        /// Indices in `recorded` of the outputs that have not yet arrived in the replay.
        var awaited: [Int] = []
        /// The values of `ack` in the recorded outputs about the view. `acks` contains the values
        /// in the outputs of the replay.
        var recordedAcks: Set<Double> = []
        var acks: Set<Double> = []
        /// The time at which the last movement with a duration in the replay ends.
        var movementEnd: Double?
    }

    private let recorded: [ServerOutput]
    private var viewStates: [String: ViewState] = [:]
    private var answers: [Answer: ServerOutput] = [:]
    private var answered: Set<Answer> = []
    /// The current names of loads and the current generation numbers: those that the server of this
    /// replay has assigned. The keys are the view and the recorded name or number.
    private var loads: [String: String] = [:]
    private var namedLoads: Set<String> = []
    private var generations: [String: Double] = [:]

    /// The number of outputs of the replay that match the recording.
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

    /// Returns the first of the recorded outputs with an index below `end` that has not arrived.
    /// Nil if all of them have arrived.
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
    /// if the recording may lack such an output.
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

    /// Returns whether the other side (the recording or the replay) may lack the output `one`.
    /// `next` is the next output of the other side, and `acks` are the values of `ack` there.
    ///
    /// The other side may lack `one` if `one` is replaceable, `next` has a later `ack`, and `acks`
    /// has no value from the `ack` of `one` up to that of `next`.
    private func isSuperseded(_ one: ServerOutput, by next: ServerOutput, acks: Set<Double>?)
        -> Bool
    {
        guard one.durability == .replaceable, let ack = one.ack, let later = next.ack, ack < later
        else { return false }
        return acks?.contains { ack <= $0 && $0 < later } != true
    }

    /// Maps the recorded name of the load and the recorded generation to the current ones, because
    /// each server assigns its own. Returns a difference if a recorded load would get two current
    /// names, or if two recorded loads would get the same name.
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
